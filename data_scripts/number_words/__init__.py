"""Numbers, dates, times and prices in English and German words, for generated_numbers.py."""
