"""What debian_descriptions.py needs to know about Debian: index files, archives, descriptions."""
