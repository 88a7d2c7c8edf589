//! Bones: a kite from each joint to those that hang on it, as they are drawn
//! everywhere.

use bindpose_asset::JointRole;
use bindpose_skin::{JointIndex, Skeleton};
use eframe::egui::{Painter, Pos2, Shape, Stroke};

use crate::theme::Theme;

/// From which joint to which. What stands between two joints of a skin and is
/// none itself is passed over; above the first of them no bone leads anywhere.
pub(super) fn bone_pairs(skeleton: &Skeleton, roles: &[JointRole]) -> Vec<(usize, usize)> {
    let joints = skeleton.joints();
    let is_drawn = |joint: &usize| roles.get(*joint) == Some(&JointRole::OfSkin);
    let parent = |joint: &usize| Some(joints.get(*joint)?.parent?.index());
    (0..joints.len())
        .filter(is_drawn)
        .filter_map(|child| {
            let mut above = std::iter::successors(parent(&child), parent);
            Some((above.find(is_drawn)?, child))
        })
        .collect()
}

/// Thick near the parent, in its colour.
pub(super) fn paint(painter: &Painter, theme: &Theme, parent: usize, (from, to): (Pos2, Pos2)) {
    let along = to - from;
    if along.length() < 6.0 {
        return;
    }
    let side = along.normalized().rot90() * (along.length() * 0.09).min(8.0);
    let waist = from + along * 0.18;
    let color = theme.joint_in_scene(JointIndex(parent as u16));
    painter.add(Shape::convex_polygon(
        vec![from, waist + side, to, waist - side],
        color.gamma_multiply(0.35),
        Stroke::new(1.25, color),
    ));
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{Joint, Trs};

    use super::*;
    use JointRole::{Again, Helper, OfSkin};

    #[test]
    fn no_bone_leads_to_or_from_what_is_no_joint_of_a_skin() {
        // 3 (no joint) → 0 → 4 (no joint) → 1 → 2, and 5, which is 1 once more.
        let parents = [Some(3), Some(4), Some(1), None, Some(0), Some(1)];
        let joints = parents.map(|parent| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: glam::Mat4::IDENTITY,
        });
        let skeleton = Skeleton::in_any_order(joints.to_vec()).unwrap();
        let roles = [OfSkin, OfSkin, OfSkin, Helper, Helper, Again];
        assert_eq!(bone_pairs(&skeleton, &roles), [(0, 1), (1, 2)]);
        let all = bone_pairs(&skeleton, &[OfSkin; 6]);
        assert_eq!(all, [(3, 0), (4, 1), (1, 2), (0, 4), (1, 5)]);
    }
}
