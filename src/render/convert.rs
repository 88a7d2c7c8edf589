//! From glam to three-d's cgmath. The only file where the two meet.

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

pub(super) fn vec2(v: Vec2) -> three_d::Vec2 {
    three_d::Vec2::new(v.x, v.y)
}

pub(super) fn vec3(v: Vec3) -> three_d::Vec3 {
    three_d::Vec3::new(v.x, v.y, v.z)
}

pub(super) fn vec4(v: Vec4) -> three_d::Vec4 {
    three_d::Vec4::new(v.x, v.y, v.z, v.w)
}

/// Both are column-major.
pub(super) fn mat4(m: Mat4) -> three_d::Mat4 {
    m.to_cols_array_2d().into()
}

/// Both are column-major.
pub(super) fn mat3(m: Mat3) -> three_d::Mat3 {
    m.to_cols_array_2d().into()
}

/// sRGB bytes to sRGB from 0 to 1.
pub(super) fn srgb(bytes: [u8; 3]) -> three_d::Vec3 {
    let [r, g, b] = bytes.map(|byte| f32::from(byte) / 255.0);
    three_d::Vec3::new(r, g, b)
}

/// sRGB bytes with an opacity from 0 to 1.
pub(super) fn srgba(bytes: [u8; 3], alpha: f32) -> three_d::Vec4 {
    srgb(bytes).extend(alpha)
}
