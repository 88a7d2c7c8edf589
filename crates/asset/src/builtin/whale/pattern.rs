//! The orca's colours: black above, white below, an eye patch, a grey saddle.
//!
//! Shapes are signed distances in world units, negative inside, so that their
//! edges come out crisp and smooth at any size of the image.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::body::{self, LIP, MOUTH_PHI, MOUTH_S, TEXTURE_PART, s_from_u, surface};
use super::fins::{FLUKE_BELOW, Rect};
use crate::Image;
use crate::builtin::mesh_builder::{curve, smooth_step};

const WIDTH: u32 = 1024;
const HEIGHT: u32 = 512;
/// Width of an edge, in world units.
const EDGE: f64 = 0.012;

const BLACK: DVec3 = DVec3::new(40.0, 46.0, 54.0);
const WHITE: DVec3 = DVec3::new(243.0, 242.0, 237.0);
const GREY: DVec3 = DVec3::new(140.0, 148.0, 156.0);
const MOUTH: DVec3 = DVec3::new(112.0, 62.0, 66.0);
const EYE: DVec3 = DVec3::new(96.0, 84.0, 74.0);

/// The texture of the whole whale.
pub(super) fn image() -> Image {
    let mut rgba = Vec::with_capacity((WIDTH * HEIGHT * 4) as usize);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let uv = DVec2::new(
                (f64::from(x) + 0.5) / f64::from(WIDTH),
                (f64::from(y) + 0.5) / f64::from(HEIGHT),
            );
            let color = color(uv).round();
            rgba.extend_from_slice(&[color.x as u8, color.y as u8, color.z as u8, 255]);
        }
    }
    Image { width: WIDTH, height: HEIGHT, rgba }
}

fn color(uv: DVec2) -> DVec3 {
    if uv.y <= TEXTURE_PART + 0.01 {
        return body_color(s_from_u(uv.x), (uv.y / TEXTURE_PART * PI).min(PI));
    }
    if uv.x > FLUKE_BELOW[0] - 0.01 && uv.x < FLUKE_BELOW[0] + FLUKE_BELOW[2] + 0.01 {
        return fluke_below(within(FLUKE_BELOW, uv));
    }
    BLACK
}

fn body_color(s: f64, phi: f64) -> DVec3 {
    let p = surface(s, phi);
    let mut color = BLACK;
    paint(&mut color, GREY, saddle(s, phi), 3.0 * EDGE);
    paint(&mut color, WHITE, belly(s, phi).min(flank(s, phi)), EDGE);
    paint(&mut color, WHITE, eye_patch(p), EDGE);
    paint(&mut color, EYE, eye(p, 0.036), EDGE);
    paint(&mut color, BLACK * 0.4, eye(p, 0.024), EDGE);
    if (phi - MOUTH_PHI).abs() < LIP * 0.9 && s < MOUTH_S {
        color = MOUTH;
    }
    color
}

fn paint(color: &mut DVec3, over: DVec3, distance: f64, edge: f64) {
    *color = color.lerp(over, 1.0 - smooth_step(-edge / 2.0, edge / 2.0, distance));
}

/// White from the chin along the belly; its border as an angle, by s.
fn belly(s: f64, phi: f64) -> f64 {
    const BORDER: [(f64, f64); 12] = [
        (0.0, 1.9),
        (0.1, 1.92),
        (0.13, 1.98),
        (0.17, 2.2),
        (0.215, 2.5),
        (0.27, 2.66),
        (0.34, 2.62),
        (0.43, 2.5),
        (0.52, 2.42),
        (0.6, 2.5),
        (0.68, 2.75),
        (0.735, 3.3),
    ];
    (curve(&BORDER, s) - phi) * body::radius(s)
}

/// The white that sweeps up and back on the flank.
fn flank(s: f64, phi: f64) -> f64 {
    // Along its middle line: s, phi, half width.
    const LINE: [(f64, f64, f64); 6] = [
        (0.5, 2.62, 0.2),
        (0.56, 2.3, 0.17),
        (0.61, 2.02, 0.135),
        (0.66, 1.8, 0.105),
        (0.71, 1.63, 0.07),
        (0.755, 1.52, 0.02),
    ];
    let at = |s: f64, phi: f64| DVec2::new(s * body::LENGTH, phi * body::radius(0.6));
    let point = at(s, phi);
    LINE.windows(2)
        .map(|ends| {
            let (a, b) = (at(ends[0].0, ends[0].1), at(ends[1].0, ends[1].1));
            let t = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            point.distance(a.lerp(b, t)) - (ends[0].2 + (ends[1].2 - ends[0].2) * t)
        })
        .fold(f64::MAX, f64::min)
}

/// Behind and above the eye, seen from the side.
fn eye_patch(p: DVec3) -> f64 {
    let away = DVec2::new(p.z - 1.86, p.y - 0.135);
    let turned = DVec2::from_angle(0.22).rotate(away);
    // Fuller in front than behind.
    let height = 0.1 + 0.03 * (turned.x / 0.3).clamp(-1.0, 1.0);
    let scaled = DVec2::new(turned.x / 0.3, turned.y / height);
    (scaled.length() - 1.0) * height
}

fn eye(p: DVec3, radius: f64) -> f64 {
    DVec2::new(p.z - 2.235, p.y + 0.02).length() - radius
}

/// Grey behind the dorsal fin.
fn saddle(s: f64, phi: f64) -> f64 {
    let away = DVec2::new((s - 0.545) * body::LENGTH, phi * body::radius(s));
    // It reaches down and forward on both sides.
    let turned = away - DVec2::new(0.28 * away.y, 0.0);
    let scaled = DVec2::new(turned.x / 0.34, turned.y / 0.5);
    (scaled.length() - 1.0) * 0.36
}

/// White with a dark rim. x runs to the tip, y from the leading edge.
fn fluke_below(place: DVec2) -> DVec3 {
    let rim = (0.16 - place.y).max(place.y - 0.8).max(place.x - 0.86);
    let mut color = BLACK;
    paint(&mut color, WHITE, rim, 0.05);
    color
}

fn within([left, top, width, height]: Rect, uv: DVec2) -> DVec2 {
    DVec2::new((uv.x - left) / width, (uv.y - top) / height)
}
