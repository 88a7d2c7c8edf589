//! Wrong numberings of joints in `JOINTS_n`.

use std::collections::BTreeMap;

use crate::skinned_vertices::LaneOrder;

/// A wrong numbering of the joints in `JOINTS_n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JointNumbering {
    /// Numbers are nodes.
    Nodes,
    /// Numbers are too high by this much, or too low if it is negative.
    TooHigh(isize),
    /// Numbers are joints in another order than their weights.
    Lanes(LaneOrder),
    /// Only the low byte of each number is meant.
    LowByte,
    /// Numbers have lost this multiple of 256 where the joint exists.
    LostHighByte(usize),
    /// Each number is that of the joint at its place in the list.
    Table(Vec<usize>),
}

impl JointNumbering {
    /// Returns the order of lanes under this numbering.
    pub(crate) fn lane_order(&self) -> LaneOrder {
        match self {
            Self::Lanes(order) => *order,
            _ => LaneOrder::AsStored,
        }
    }

    /// Resolves a stored number to a joint.
    pub(crate) fn joint(
        &self,
        stored: usize,
        joint_by_node: &BTreeMap<usize, usize>,
    ) -> Option<usize> {
        match self {
            Self::Nodes => joint_by_node.get(&stored).copied(),
            Self::TooHigh(excess) => stored.checked_add_signed(-excess),
            Self::Lanes(_) => Some(stored),
            Self::LowByte => Some(stored & 0xFF),
            Self::LostHighByte(lost) => {
                let joint = stored + lost;
                Some(if joint < joint_by_node.len() { joint } else { stored })
            }
            Self::Table(joints) => joints.get(stored).copied(),
        }
    }
}

/// Returns the names of sides that a joint's name may hold, each with that of the other side.
const SIDES: [(&str, &str); 12] = [
    ("Left", "Right"),
    ("left", "right"),
    ("LEFT", "RIGHT"),
    (".L", ".R"),
    (".l", ".r"),
    ("_L", "_R"),
    ("_l", "_r"),
    ("-L", "-R"),
    (" L", " R"),
    (" l", " r"),
    ("L_", "R_"),
    ("l_", "r_"),
];

/// Returns the name of the joint on the other side. `None` if the name has no side.
pub(super) fn name_of_other_side(name: &str) -> Option<String> {
    SIDES.iter().find_map(|(left, right)| {
        exchange(name, left, right).or_else(|| exchange(name, right, left))
    })
}

/// Replaces a side where it ends a word: short ones only at the ends of a name or before a
/// separator, because letters are in many words.
fn exchange(name: &str, from: &str, to: &str) -> Option<String> {
    let start = name.find(from)?;
    let end = start + from.len();
    let after = name[end..].chars().next();
    let is_separated = match from.len() {
        2 if from.ends_with('_') => start == 0 || name[..start].ends_with([':', '_', '|']),
        2 => after.is_none_or(|next| !next.is_alphanumeric()),
        _ => true,
    };
    is_separated.then(|| format!("{}{to}{}", &name[..start], &name[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_sides_are_exchanged() {
        for (left, right) in [
            ("arm.L", "arm.R"),
            ("LeftHand", "RightHand"),
            ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
            ("leg_l", "leg_r"),
            ("thigh.L.001", "thigh.R.001"),
            ("L_Clavicle", "R_Clavicle"),
        ] {
            assert_eq!(name_of_other_side(left).as_deref(), Some(right));
            assert_eq!(name_of_other_side(right).as_deref(), Some(left));
        }
        for name in ["hips", "Spine_Lower", "root_rig", "tail.Last"] {
            assert_eq!(name_of_other_side(name), None, "{name}");
        }
    }
}
