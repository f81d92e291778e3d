// Constraints on single recipe values, written in a section's field list:
//   visit("beam", beam, "Hypotheses kept per sentence", AtLeast{1});
//
// A constraint has Accepts(value) and Requirement(), which completes "must be ...". On an optional
// field it applies when a value is present; on a list, NonEmpty applies to the list and every
// other constraint to each element. Rules between fields are in validate.h.
#pragma once

#include <fmt/format.h>

#include <string>

namespace heed {

struct AtLeast {
  double minimum;
  bool Accepts(double value) const { return value >= minimum; }
  std::string Requirement() const { return fmt::format("at least {}", minimum); }
};

struct Above {
  double bound;
  bool Accepts(double value) const { return value > bound; }
  std::string Requirement() const { return fmt::format("above {}", bound); }
};

// Both ends belong to the range.
struct InRange {
  double minimum, maximum;
  bool Accepts(double value) const { return value >= minimum && value <= maximum; }
  std::string Requirement() const { return fmt::format("from {} to {}", minimum, maximum); }
};

// A probability that may be 0 but not 1, such as a dropout rate.
struct FromZeroToBelowOne {
  bool Accepts(double value) const { return value >= 0 && value < 1; }
  std::string Requirement() const { return "at least 0 and below 1"; }
};

// A share that may be 1 but not 0.
struct FromAboveZeroToOne {
  bool Accepts(double value) const { return value > 0 && value <= 1; }
  std::string Requirement() const { return "above 0 and at most 1"; }
};

// For strings and lists.
struct NonEmpty {
  template <class Container>
  bool Accepts(const Container& value) const {
    return !value.empty();
  }
  std::string Requirement() const { return "not empty"; }
};

// Marks a field that only tells the reader what to do, such as `include`: it is documented, but
// neither written back nor compared.
struct ForReaderOnly {
  template <class Value>
  bool Accepts(const Value& /*value*/) const {
    return true;
  }
  std::string Requirement() const { return {}; }
};

}  // namespace heed
