// Elementary functions on vectors. NaN in, NaN out. Coefficients: Chebyshev fits made for this
// file.
#pragma once

#include "backend/cpu/kernels/lanes.h"

namespace heed::HEED_ISA {

// e^x; relative error below 1.5e-7 for x in [-87, 88]; 0 below -87.3, about 2e38 above 88.
inline Floats Exp(Floats x) {
  const Floats tiny = Less(x, Set(-87.33F));
  x = Max(Set(-87.33F), Min(Set(88.3F), x));
  const Floats n = Round(x * Set(1.44269504F));
  Floats r = NegatedFma(n, Set(0.693359375F), x);  // ln 2 in two parts
  r = NegatedFma(n, Set(-2.12194440e-4F), r);
  // e^r = 1 + r + r^2 p(r) on [-ln 2 / 2, ln 2 / 2]
  Floats p = Set(0.00139263918961F);
  p = Fma(p, r, Set(0.00836334581099F));
  p = Fma(p, r, Set(0.0416665533626F));
  p = Fma(p, r, Set(0.166665759854F));
  p = Fma(p, r, Set(0.5F));
  p = Fma(p * r, r, r) + Set(1.0F);
  const Floats y = p * PowerOfTwo(n);
  return Select(tiny, Zero(), y);
}

inline Floats Sigmoid(Floats x) {
  return Set(1.0F) / (Set(1.0F) + Exp(-x));
}

// The normal distribution function, and its density in *density. Relative error below 1e-6 for
// negative x too: Phi(-t sqrt 2) = erfc(t) / 2 = e^(-t^2) u q(u) / 2 with u = 2.5 / (2.5 + t).
inline Floats NormalCdf(Floats x, Floats* density) {
  const Floats t = Min(Set(9.3F), Abs(x) * Set(0.707106781F));
  const Floats gauss = Exp(x * x * Set(-0.5F));
  const Floats u = Set(2.5F) / (Set(2.5F) + t);
  Floats q = Set(-0.0344902306462F);
  q = Fma(q, u, Set(0.224390542317F));
  q = Fma(q, u, Set(-0.560289866222F));
  q = Fma(q, u, Set(0.628622423716F));
  q = Fma(q, u, Set(-0.351167132986F));
  q = Fma(q, u, Set(0.307504053936F));
  q = Fma(q, u, Set(0.117582458029F));
  q = Fma(q, u, Set(0.217477055323F));
  q = Fma(q, u, Set(0.224648381516F));
  q = Fma(q, u, Set(0.225722315981F));
  const Floats tail = gauss * u * q * Set(0.5F);
  *density = gauss * Set(0.398942280F);
  return Select(Less(x, Zero()), tail, Set(1.0F) - tail);
}

}  // namespace heed::HEED_ISA
