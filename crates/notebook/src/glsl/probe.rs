//! Problems in the output of a vertex shader that a picture does not show.

use glam::{Vec3, Vec4};

/// Output of transform feedback, with one entry per vertex.
#[derive(Clone, Copy, Debug)]
pub struct ShaderOutput<'a> {
    /// `gl_Position`.
    pub position_in_clip: &'a [Vec4],
    pub position_in_world: &'a [Vec3],
    /// Zero if the mesh has collapsed.
    pub normal_in_world: &'a [Vec3],
    /// The triangles that are drawn.
    pub triangles: &'a [[u32; 3]],
}

/// Returns a sentence for each problem.
pub fn probe(probe: &ShaderOutput<'_>) -> Vec<String> {
    let count = probe.position_in_clip.len();
    if count == 0 {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let not_numbers = (0..count)
        .filter(|&index| {
            let world = probe.position_in_world.get(index);
            !probe.position_in_clip[index].is_finite() || world.is_some_and(|p| !p.is_finite())
        })
        .count();
    if not_numbers > 0 {
        notes.push(format!(
            "{not_numbers} of {count} positions are not numbers: something divides by zero, overflows or was never set."
        ));
    }
    let dark = probe.normal_in_world.iter().filter(|n| !n.is_finite()).count();
    if dark > 0 {
        notes.push(format!("{dark} of {count} normals are not numbers."));
    }
    if not_numbers < count
        && let Some(why) = why_nothing_is_drawn(probe)
    {
        notes.push(why.to_owned());
    }
    notes
}

/// Explains why no triangle is visible. Returns `None` if one is.
fn why_nothing_is_drawn(probe: &ShaderOutput<'_>) -> Option<&'static str> {
    let triangles = probe.triangles.iter().filter_map(|triangle| {
        let [a, b, c] = triangle.map(|index| probe.position_in_clip.get(index as usize).copied());
        Some([a?, b?, c?]).filter(|corners| corners.iter().all(|corner| corner.is_finite()))
    });
    let mut outside = 0;
    let mut behind = 0;
    let mut flat = 0;
    for corners in triangles {
        if corners.iter().all(|corner| corner.w <= 0.0) {
            behind += 1;
        } else if is_outside(&corners) {
            outside += 1;
        } else if has_no_area(&corners) {
            flat += 1;
        } else {
            return None;
        }
    }
    let all = outside + behind + flat;
    if all == 0 {
        return None;
    }
    Some(if flat == all {
        "Nothing is drawn: every triangle has collapsed to a line or a point."
    } else if behind == all {
        "Nothing is drawn: w of gl_Position is not above 0 at any vertex, which is behind the eye."
    } else if outside == all {
        "Nothing is drawn: every triangle is outside the picture."
    } else {
        "Nothing is drawn: every triangle is outside the picture, behind the eye or collapsed."
    })
}

/// Are all corners on the far side of one face of the clip volume?
fn is_outside(corners: &[Vec4; 3]) -> bool {
    (0..3).any(|axis| {
        corners.iter().all(|corner| corner[axis] > corner.w)
            || corners.iter().all(|corner| -corner[axis] > corner.w)
    })
}

fn has_no_area(corners: &[Vec4; 3]) -> bool {
    if corners.iter().any(|corner| corner.w <= 0.0) {
        return false;
    }
    let [a, b, c] = corners.map(|corner| corner.truncate().truncate() / corner.w);
    // Twice the area in normalized device coordinates; a millionth of a pixel.
    (b - a).perp_dot(c - a).abs() < 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[u32; 3]; 1] = [[0, 1, 2]];

    fn notes(corners: [Vec4; 3]) -> Vec<String> {
        let world = [Vec3::ZERO; 3];
        probe(&ShaderOutput {
            position_in_clip: &corners,
            position_in_world: &world,
            normal_in_world: &[Vec3::Z; 3],
            triangles: &TRIANGLE,
        })
    }

    fn at(x: f32, y: f32) -> Vec4 {
        Vec4::new(x, y, 0.0, 1.0)
    }

    #[test]
    fn visible_triangles_have_no_notes() {
        assert_eq!(notes([at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)]), [""; 0]);
        assert_eq!(notes([at(-9.0, 0.0), at(9.0, 0.0), at(0.0, 9.0)]), [""; 0]);
    }

    #[test]
    fn positions_that_are_not_numbers_are_counted() {
        let found = notes([at(f32::NAN, 0.0), at(1.0, 0.0), at(0.0, 1.0)]);
        assert!(found[0].starts_with("1 of 3 positions"), "{found:?}");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn invisible_triangles_have_a_reason() {
        for (corners, word) in [
            ([at(3.0, 0.0), at(4.0, 0.0), at(3.0, 1.0)], "outside"),
            ([at(0.0, 0.0); 3], "collapsed"),
            ([at(0.0, 0.0), at(0.5, 0.5), at(0.25, 0.25)], "collapsed"),
            ([Vec4::ZERO; 3], "behind"),
        ] {
            let found = notes(corners);
            assert!(found[0].contains(word), "{found:?}");
        }
    }
}
