//! The grid under a model, or behind a flat one.

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::crowd::crowd_reach;
use crate::model_bounds::extent;
use crate::scene::SceneGrid;
use crate::{Derived, Document, number_text, significant_digits};

/// Between two numbers along x and along y, at least, in points.
const APART: Vec2 = Vec2::new(30.0, 22.0);
/// Numbers along one axis, at most.
const MOST: usize = 60;

/// A number at the edge of the picture, where a line of the grid ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GridNumber {
    /// 0: of a line with one x, at the lower edge. 1: with one y, at the left.
    pub axis: usize,
    /// From the left of the picture, or from its top, in points.
    pub at: f32,
    /// `−4`
    pub words: String,
}

/// The numbers of a grid in a picture of this size, in points: those of every
/// line, or, where lines stand close, of every second, fifth or tenth. None for a
/// grid on the ground, and where the picture does not face it.
pub(super) fn numbers(grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    if grid.ground || camera.forward().z.abs() < 0.999 || grid.spacing <= 0.0 {
        return Vec::new();
    }
    let along = |axis| numbers_along(axis, grid, camera, picture);
    [0, 1].into_iter().flat_map(along).collect()
}

fn numbers_along(axis: usize, grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    let center = camera.target.with_z(grid.at);
    let step = Vec3::AXES[axis] * grid.spacing;
    let place = |point: Vec3| camera.project(point, picture).map(|at| at[axis]);
    let Some((here, next)) = place(center).zip(place(center + step)) else {
        return Vec::new();
    };
    let apart = (next - here).abs();
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    let Some(every) = steps.into_iter().find(|every| every * apart >= APART[axis]) else {
        return Vec::new();
    };
    let spacing = every * grid.spacing;
    // Lines that may be in the picture, on both sides of its middle.
    let reach = (picture[axis] / (every * apart) / 2.0).ceil() + 1.0;
    let middle = (center[axis] / spacing).round();
    let decimals = significant_digits::decimals(f64::from(spacing), 0);
    let lines = (0..=2 * reach as usize).take(MOST);
    let numbers = lines.filter_map(|line| {
        let value = (middle - reach + line as f32) * spacing;
        let mut point = center;
        point[axis] = value;
        let at = place(point).filter(|at| (0.0..=picture[axis]).contains(at))?;
        let words = number_text::fixed(f64::from(value), decimals);
        Some(GridNumber { axis, at, words })
    });
    numbers.collect()
}

/// Lines of the ground, or of the picture plane for a flat rig, at a spacing of
/// 1, 2 or 5 times a power of ten.
pub(super) fn grid(document: &Document, derived: &Derived, camera: &Camera) -> SceneGrid {
    let (low, high) = extent(document, &derived.rig).bounds;
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    // In the plane places are read off it: its lines lie closer.
    let lines = if derived.rig.flat { 8.0 } else { 6.0 };
    let spacing = significant_digits::round_up(f64::from(size) / lines) as f32;
    if derived.rig.flat {
        SceneGrid {
            spacing,
            extent: camera.height * 3.0 + camera.target.length(),
            ground: false,
            at: low.z - size * 0.01,
        }
    } else {
        SceneGrid {
            spacing,
            extent: size * 2.0
                + crowd_reach(&derived.rig, document.state.crowd.count).max_element(),
            ground: true,
            at: low.y,
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::{Projection, View};

    use super::*;

    #[test]
    fn grid_lines_stand_at_round_distances() {
        let rig = builtin("bone_grid").unwrap();
        let document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let bounds = rig.mesh.bounds();
        let camera = Camera::framing(bounds, View::Front, Projection::Orthographic, 1.5);
        let grid = grid(&document, &derived, &camera);
        assert_eq!((grid.spacing, grid.ground), (1.0, false));
    }

    #[test]
    fn numbers_stand_where_the_lines_are_and_not_too_close() {
        let grid = SceneGrid { spacing: 2.0, extent: 100.0, ground: false, at: -0.1 };
        let mut camera = Camera {
            target: Vec3::new(4.0, 1.0, 0.0),
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 8.0,
            projection: Projection::Orthographic,
        };
        let of = |numbers: &[GridNumber], axis| -> Vec<(String, f32)> {
            let numbers = numbers.iter().filter(|number| number.axis == axis);
            let pair = |number: &GridNumber| (number.words.clone(), number.at.round());
            numbers.map(pair).collect()
        };
        // 50 points a unit: from −1 to 9, and from −3 to 5.
        let near = numbers(&grid, &camera, Vec2::new(500.0, 400.0));
        let words = |list: &[(&str, f32)]| -> Vec<(String, f32)> {
            list.iter().map(|&(words, at)| (words.to_owned(), at)).collect()
        };
        let x = [("0", 50.0), ("2", 150.0), ("4", 250.0), ("6", 350.0), ("8", 450.0)];
        assert_eq!(of(&near, 0), words(&x));
        let y = [("−2", 350.0), ("0", 250.0), ("2", 150.0), ("4", 50.0)];
        assert_eq!(of(&near, 1), words(&y));
        // From far: 5 points a unit.
        camera.height = 80.0;
        let far = numbers(&grid, &camera, Vec2::new(500.0, 400.0));
        let x: Vec<f32> = of(&far, 0).iter().map(|(_, at)| *at).collect();
        assert!(x.len() > 3 && x.windows(2).all(|pair| pair[1] - pair[0] >= APART.x));
        // From above one looks along the plane.
        camera.pitch_rad = std::f32::consts::FRAC_PI_2;
        assert_eq!(numbers(&grid, &camera, Vec2::new(500.0, 400.0)), []);
    }
}
