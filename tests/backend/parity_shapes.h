// The one table of awkward shapes on which backends are compared, and benchmarks measured: nothing,
// one row, one column, sizes beside powers of two, and a few larger ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace heed {

struct LinearShape {
  int64_t tokens, in, out;
};
inline constexpr LinearShape kLinearShapes[] = {
    {0, 5, 3},     {1, 1, 1},    {1, 7, 1},      {1, 64, 64},    {2, 17, 8},
    {3, 1, 5},     {5, 3, 7},    {7, 13, 17},    {17, 31, 33},   {31, 33, 63},
    {33, 63, 65},  {63, 65, 31}, {65, 127, 129}, {127, 129, 5},  {129, 257, 17},
    {257, 5, 127}, {13, 512, 3}, {1, 257, 513},  {4, 300, 1025}, {300, 513, 129}};

struct RowShape {
  int64_t rows, columns;
};
inline constexpr RowShape kRowShapes[] = {
    {0, 8},   {1, 1},   {5, 1},  {1, 257}, {3, 5},     {7, 13},   {17, 31}, {31, 7},   {33, 63},
    {63, 65}, {65, 17}, {8, 64}, {127, 3}, {129, 127}, {13, 129}, {4, 33},  {257, 16}, {300, 513}};

struct AttentionShape {
  std::vector<int32_t> query_lengths;
  std::vector<int32_t> key_lengths;
  int64_t heads;
  int64_t head_width;
};

// Self-attention and attention to another side; empty sentences on one side or both, one token, one
// long sentence, every head width that needs its own code path.
inline std::vector<AttentionShape> AttentionShapes() {
  const std::vector<int32_t> ragged = {3, 1, 0, 17, 5};
  return {
      {{}, {}, 2, 8},                         // no sentence
      {{0, 0}, {0, 0}, 2, 8},                 // no token
      {{1}, {1}, 1, 1},                       // one number
      {ragged, ragged, 1, 3},                 //
      {ragged, ragged, 2, 8},                 //
      {ragged, {5, 0, 7, 13, 2}, 5, 16},      // a query sentence without keys
      {{2, 4, 1}, {9, 33, 8}, 8, 32},         // more keys than queries
      {{9, 33, 8}, {2, 4, 1}, 8, 3},          // more queries than keys
      {{31, 7, 65}, {31, 7, 65}, 2, 64},      //
      {{13, 63, 33}, {64, 17, 127}, 1, 100},  //
      {{300}, {300}, 2, 64},                  // one long sentence
      {{1, 129, 1}, {257, 1, 31}, 5, 1},      //
      {std::vector<int32_t>(65, 1), std::vector<int32_t>(65, 3), 8, 16},  // many short sentences
  };
}

struct CachedAttentionShape {
  int64_t hypotheses, steps, heads, head_width;
};
inline constexpr CachedAttentionShape kCachedAttentionShapes[] = {
    {0, 3, 2, 8},   {1, 1, 1, 1},    {1, 1, 2, 8},   {5, 3, 5, 3},   {7, 17, 8, 16},
    {3, 33, 2, 32}, {13, 65, 8, 64}, {4, 7, 1, 100}, {2, 257, 2, 64}};

// Vocabularies: tokens, entries.
inline constexpr RowShape kVocabularyShapes[] = {{0, 9},   {1, 1},   {3, 2},     {5, 7},   {7, 17},
                                                 {33, 65}, {2, 257}, {17, 1000}, {3, 8193}};

inline constexpr int64_t kFlatSizes[] = {1, 3, 8, 17, 31, 65, 257, 4099, 100003};

}  // namespace heed
