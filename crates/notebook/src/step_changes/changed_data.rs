//! What stands in the place of the model's own data otherwise than the step gives
//! it: in words, each with the edit that puts it back.

use std::collections::BTreeMap;

use bindpose_asset::{ByteEdits, Rig};
use bindpose_lesson::{DataEdit, Setting};
use bindpose_skin::LANES;

use crate::edit_label::{bytes_label, joint_label};
use crate::number_text::grouped;
use crate::{Edit, StepState, WeightEdits};

/// From so many of a kind on, they are told together.
pub(super) const MANY: usize = 12;

/// One kind of data that was changed.
struct DataKind<K> {
    count: usize,
    /// Whose data, in a lasting order; empty where there are many and the step itself
    /// puts nothing.
    of: Vec<K>,
    /// Does the step itself put anything of this kind in the place of the stored?
    of_step: bool,
}

/// All that differs between two states of a step: `then` is how it opens.
pub(super) fn changes(now: &StepState, then: &StepState, rig: &Rig) -> Vec<(String, Edit)> {
    let weights = DataKind::of_weights(&now.weights, &then.weights);
    let mut changes = weights.told(
        |vertex| format!("weights of v{vertex}"),
        |count| format!("weights of {} vertices", grouped(count as u32)),
        Edit::ResetWeights,
        |vertex| vec![DataEdit::Weights(vertex, [0.0; LANES])],
    );
    let inverse_binds = DataKind::new(&now.inverse_binds, &then.inverse_binds);
    changes.extend(inverse_binds.told(
        |joint| format!("inverse bind matrix of {}", joint_label(joint, rig)),
        |count| format!("inverse bind matrices of {count} joints"),
        Edit::ResetInverseBind,
        |joint| vec![DataEdit::InverseBind(joint.into(), [0.0; 16])],
    ));
    let texels = DataKind::new(&now.texels, &then.texels);
    changes.extend(texels.told(
        |joint| format!("texels of {}", joint_label(joint, rig)),
        |count| format!("texels of {count} joints"),
        Edit::ResetTexels,
        |joint| {
            let columns = 0..4;
            let texel = |column| DataEdit::Texel(joint.into(), column, [0.0; 4]);
            columns.map(texel).collect()
        },
    ));
    let moves = DataKind::new(&now.joint_moves, &then.joint_moves);
    changes.extend(moves.told(
        |joint| format!("{} by hand", joint_label(joint, rig)),
        |count| format!("{count} joints by hand"),
        Edit::ResetJointMove,
        |joint| {
            let turn = DataEdit::Turn(joint.into(), [0.0, 0.0, 0.0, 1.0]);
            vec![turn, DataEdit::Shift(joint.into(), [0.0; 3])]
        },
    ));
    changes.extend(bytes(now, then));
    changes
}

impl DataKind<u32> {
    /// Of a whole mesh, too many to be listed in each frame.
    fn of_weights(now: &WeightEdits, then: &WeightEdits) -> Self {
        let (count, of_step) = (now.count_differing(then), !then.is_empty());
        let of = if count < MANY || of_step { now.differing(then).collect() } else { Vec::new() };
        Self { count, of, of_step }
    }
}

impl<K: Ord + Copy> DataKind<K> {
    fn new<V: PartialEq>(now: &BTreeMap<K, V>, then: &BTreeMap<K, V>) -> Self {
        let mut of: Vec<K> = now.keys().chain(then.keys()).copied().collect();
        of.sort_unstable();
        of.dedup();
        of.retain(|one| now.get(one) != then.get(one));
        Self { count: of.len(), of, of_step: !then.is_empty() }
    }

    /// `stored` puts back what the model has, of one or of all; where the step gives
    /// something else, what `edits` names goes back to that.
    fn told(
        &self,
        each: impl Fn(K) -> String,
        all: impl Fn(usize) -> String,
        stored: impl Fn(Option<K>) -> Edit,
        edits: impl Fn(K) -> Vec<DataEdit>,
    ) -> Vec<(String, Edit)> {
        let to_step = |of: &[K]| {
            let edits = of.iter().flat_map(|&one| edits(one));
            Edit::ResetSettings(edits.map(Setting::Data).collect())
        };
        if self.count >= MANY {
            let put_back = if self.of_step { to_step(&self.of) } else { stored(None) };
            return vec![(all(self.count), put_back)];
        }
        let each = self.of.iter().map(|&one| {
            let put_back = if self.of_step { to_step(&[one]) } else { stored(Some(one)) };
            (each(one), put_back)
        });
        each.collect()
    }
}

fn bytes(now: &StepState, then: &StepState) -> Vec<(String, Edit)> {
    let mut changed = ByteEdits::default();
    for (buffer, offset, bytes) in now.bytes.runs().into_iter().chain(then.bytes.runs()) {
        for offset in (offset..).take(bytes.len()) {
            let [is, was] = [&now.bytes, &then.bytes].map(|bytes| bytes.get(buffer, offset));
            if is != was {
                changed.put(buffer, offset, 0);
            }
        }
    }
    let runs = changed.runs();
    let of_step = !then.bytes.is_empty();
    let to_step = |runs: &[(u32, u32, Vec<u8>)]| {
        let edits = runs.iter().cloned();
        let edits = edits.map(|(buffer, offset, bytes)| DataEdit::Bytes { buffer, offset, bytes });
        Edit::ResetSettings(edits.map(Setting::Data).collect())
    };
    if runs.len() >= MANY {
        let put_back = if of_step { to_step(&runs) } else { Edit::ResetAllBytes };
        return vec![("bytes of the file".to_owned(), put_back)];
    }
    let each = runs.iter().map(|run| {
        let (buffer, offset, length) = (run.0, run.1, run.2.len());
        let put_back = if of_step {
            to_step(std::slice::from_ref(run))
        } else {
            Edit::ResetBytes { buffer, offset, length: length as u32 }
        };
        (bytes_label(offset, length), put_back)
    });
    each.collect()
}
