//! What exporters round away.

/// Of lengths, as a part of the model’s size.
pub const PART: f32 = 1e-4;

/// Of axes and inverse bind matrices, whose translations are parts of the model’s size,
/// and of angles in radians.
pub const SAME: f32 = 1e-3;
