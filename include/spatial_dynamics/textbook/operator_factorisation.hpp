// The mass matrix as a product of spatial operators. [SOA track 3 to 7]
//
// Operators act on all bodies at once. Bodies 1 … N are blocks of six, joints blocks of their size;
// an asterisk is a transpose. With E the operator that transforms each body's force to its parent's
// frame:
//
//     phi = (1 - E)^-1                                  rigid bodies
//     V = phi* H* v,  f = phi (M a + b),  tau = H f
//     M(q) = H phi M phi* H* + J                        [track 4: Newton-Euler factorisation]
//     G = P H* D^-1,  K = E G,  psi = (1 - E + K H)^-1  articulated bodies [track 6]
//     M(q) = (1 + H phi K) D (1 + H phi K)*             [track 7: innovations factorisation]
//     (1 + H phi K)^-1 = 1 - H psi K
//     M(q)^-1 = (1 - H psi K)* D^-1 (1 - H psi K)
//
// with J the joints' armature.
//
// Here the operators are dense matrices, for inspection and proofs; mass_matrix.hpp does the same
// by recursions.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// The operators at one configuration. N bodies without the base, n = nv.
struct SpatialOperators {
  MatrixXd H;         ///< n x 6N: a joint's rows are S' of its body
  MatrixXd E;         ///< 6N x 6N: X' from body i to its parent; nilpotent
  MatrixXd phi;       ///< 6N x 6N
  MatrixXd inertia;   ///< 6N x 6N, block diagonal: the bodies' inertias
  MatrixXd P;         ///< 6N x 6N, block diagonal: articulated inertias
  MatrixXd D;         ///< n x n, block diagonal: H P H* + armature
  MatrixXd K;         ///< 6N x n
  MatrixXd psi;       ///< 6N x 6N
  MatrixXd armature;  ///< n x n, diagonal
};

/// The factors of M = L D L*, and L^-1.
struct MassMatrixFactors {
  /// n x n, 1 + H phi K: block unit upper triangular; non-zero where one joint is an ancestor of
  /// the other.
  MatrixXd L;
  MatrixXd D;          ///< n x n, block diagonal, positive definite
  MatrixXd L_inverse;  ///< n x n, 1 - H psi K
};

/// Dense, O(N^2) numbers. Allocates; throws std::invalid_argument if the model has mimic joints
/// (its M is reduced to G' M G, which has no such factors) or no inverse exists at q.
SpatialOperators spatial_operators(const Model& model, Data& data, VectorIn q);

/// The factors by recursion towards the root, O(n depth) operations. Allocates; throws as above.
MassMatrixFactors factorise_mass_matrix(const Model& model, Data& data, VectorIn q);

}  // namespace spatial_dynamics::textbook
