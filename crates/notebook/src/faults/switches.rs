//! A known fault as a switch of the page.

use std::collections::BTreeSet;

use bindpose_lesson::{FaultName, Reading, Setting};
use bindpose_skin::{InverseBind, MeshNodeUse, NormalRule, RotationInterpolation};

use crate::StepState;

/// A fault with its settings, read once.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSwitch {
    /// Which.
    pub fault: FaultName,
    settings: Vec<Setting>,
    needs: Vec<Setting>,
}

impl FaultSwitch {
    /// The switch of a fault.
    pub fn new(fault: FaultName) -> Self {
        Self { fault, settings: fault.settings(), needs: fault.needs() }
    }

    /// Is it on, alone or beside others?
    pub fn is_on(&self, state: &StepState) -> bool {
        self.settings.iter().all(|setting| match setting {
            Setting::InverseBind(wrong) => state.inverse_bind == *wrong,
            Setting::MeshNode(wrong) => state.mesh_node == *wrong,
            Setting::Normals(wrong) => state.normals == *wrong,
            Setting::Reading(wrong) => state.reading == *wrong,
            Setting::Between(wrong) => state.playback.between == *wrong,
            Setting::Faults(own) => own.is_subset(&state.faults),
            _ => false,
        })
    }

    /// The settings that switch it on, beside what else is wrong, or off, as it is
    /// right. What it needs is put too, and stays.
    pub fn switched(&self, on: bool, state: &StepState) -> Vec<Setting> {
        let own = self.settings.iter();
        if on {
            let put = own.map(|setting| match setting {
                Setting::Faults(own) => Setting::Faults(own | &state.faults),
                other => other.clone(),
            });
            return self.needs.iter().cloned().chain(put).collect();
        }
        let right = own.map(|setting| match setting {
            Setting::InverseBind(_) => Setting::InverseBind(InverseBind::default()),
            Setting::MeshNode(_) => Setting::MeshNode(MeshNodeUse::default()),
            Setting::Normals(_) => Setting::Normals(NormalRule::default()),
            Setting::Reading(_) => Setting::Reading(Reading::default()),
            Setting::Between(_) => Setting::Between(RotationInterpolation::default()),
            Setting::Faults(own) => Setting::Faults(&state.faults - own),
            other => other.clone(),
        });
        right.collect()
    }

    /// The settings with which none of `switches` is on.
    pub fn all_off(switches: &[Self], state: &StepState) -> Vec<Setting> {
        let on = switches.iter().filter(|switch| switch.is_on(state));
        let mut rest: BTreeSet<_> = state.faults.clone();
        let mut right = Vec::new();
        for setting in on.flat_map(|switch| switch.switched(false, state)) {
            match setting {
                Setting::Faults(left) => rest = &rest & &left,
                other => right.push(other),
            }
        }
        if rest != state.faults {
            right.push(Setting::Faults(rest));
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::known_faults;

    use super::*;
    use crate::setting::put_setting;

    fn put(state: &mut StepState, settings: &[Setting]) {
        for setting in settings {
            put_setting(state, setting, None).expect("it fits");
        }
    }

    #[test]
    fn every_fault_is_switched_on_and_off_again_beside_another() {
        let beside = FaultSwitch::new(FaultName::from_id("order-swapped").expect("there"));
        for fault in known_faults() {
            let switch = FaultSwitch::new(fault);
            let mut state = StepState::default();
            put(&mut state, &switch.needs);
            if fault != beside.fault {
                put(&mut state, &beside.switched(true, &StepState::default()));
            }
            let before = state.clone();
            assert!(!switch.is_on(&state), "{}", fault.id);
            let on = switch.switched(true, &state);
            put(&mut state, &on);
            assert!(switch.is_on(&state) && beside.is_on(&state), "{}", fault.id);
            let mut both = state.clone();
            let off = switch.switched(false, &state);
            put(&mut state, &off);
            assert_eq!(state, before, "{}", fault.id);
            let none = FaultSwitch::all_off(&[switch.clone(), beside.clone()], &both);
            put(&mut both, &none);
            assert!(!switch.is_on(&both) && !beside.is_on(&both), "{}", fault.id);
        }
    }
}
