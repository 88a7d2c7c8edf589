//! A vertex that is worth a look.

use bindpose_skin::{Influences, JointIndex};

/// The vertex that a joint shares most evenly with others; where it shares none,
/// the one that any joints share most evenly. The first of equals; `None`: there
/// are no weights at all.
pub(super) fn shared_vertex(influences: &[Influences], joint: JointIndex) -> Option<u32> {
    let best = |worth: &dyn Fn(&Influences) -> f32| {
        let mut best: Option<(f32, u32)> = None;
        for (influences, vertex) in influences.iter().zip(0_u32..) {
            let worth = worth(influences);
            if worth > best.map_or(0.0, |(worth, _)| worth) {
                best = Some((worth, vertex));
            }
        }
        best.map(|(_, vertex)| vertex)
    };
    best(&|influences| evenness(influences, Some(joint)))
        .or_else(|| best(&|influences| evenness(influences, None)))
        .or_else(|| best(&|influences| influences.sum()))
}

/// The smaller of what one joint has and what the others have; without a joint, of
/// what the strongest has.
fn evenness(influences: &Influences, joint: Option<JointIndex>) -> f32 {
    let joint = joint.unwrap_or_else(|| influences.strongest());
    let mut parts = [0.0_f32; 2];
    for (_, other, weight) in influences.used() {
        parts[usize::from(other == joint)] += weight.max(0.0);
    }
    parts[0].min(parts[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influences(pairs: &[(u16, f32)]) -> Influences {
        let pairs: Vec<_> = pairs.iter().map(|&(j, w)| (JointIndex(j), w)).collect();
        Influences::new(&pairs)
    }

    #[test]
    fn the_vertex_that_a_joint_shares_most_evenly() {
        let all = [
            influences(&[(0, 1.0)]),
            influences(&[(0, 0.9), (1, 0.1)]),
            influences(&[(0, 0.6), (1, 0.4)]),
            influences(&[(1, 0.5), (2, 0.5)]),
            influences(&[(3, 1.0)]),
        ];
        assert_eq!(shared_vertex(&all, JointIndex(0)), Some(2));
        assert_eq!(shared_vertex(&all, JointIndex(2)), Some(3));
        assert_eq!(shared_vertex(&all, JointIndex(3)), Some(3), "of any");
        assert_eq!(shared_vertex(&all[..1], JointIndex(0)), Some(0));
        assert_eq!(shared_vertex(&[Influences::default()], JointIndex(0)), None);
        assert_eq!(shared_vertex(&[], JointIndex(0)), None);
    }
}
