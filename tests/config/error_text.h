// The text of the UserError that a call throws, for tests of messages.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "util/check.h"

namespace heed {

template <class Call>
std::string ErrorText(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UserError was thrown";
  return {};
}

}  // namespace heed
