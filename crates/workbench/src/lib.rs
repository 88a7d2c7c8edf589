//! Comparison of two models, and of an engine's numbers with those of a page. A difference is
//! reported with the operation or the mistake that explains it.

#![forbid(unsafe_code)]

pub mod differences;
pub mod engine_numbers;
pub mod model_difference;
