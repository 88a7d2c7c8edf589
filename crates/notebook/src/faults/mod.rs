//! Known faults of skinning: switches that turn them on, their effects, hidden faults, and
//! the numbers that distinguish them.
//!
//! The faults are listed in `assets/words/faults.toml`, with their texts and the settings that
//! cause them. Faults that are settings of the page anyway, such as `inverse-bind=left-out`,
//! need nothing else. All others are a set of `SkinningFault`s in the state. This module
//! applies those that change the rig and influences as they are read (computed once and
//! cached), matrices, and the palette. The renderer and `palette_texture` apply faults of
//! textures, and a shader the one at texture edges. A page without faults copies and computes
//! nothing.
//!
//! A hidden fault is computed from its cell and the number of the draw. Only `Derived` knows
//! it, and drawing code asks `Derived::in_force`. `fault_evidence`
//! finds the first number in which two pages differ.

mod reading;
mod switches;
pub(super) use reading::{influences_as_read, rig_as_read};
pub use switches::{FaultSwitch, fault_of_draw, offered, offered_by_id};
pub(super) use switches::{
    pose_of_palette, put_wrong_matrices, put_wrong_palette, turned_too_far, with_hidden_fault,
};

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_gltf::Rig;
    use bindpose_lesson::{FaultName, Setting, known_faults, parse_settings};
    use bindpose_rigs::builtin;

    use super::FaultSwitch;
    use crate::fault_evidence::Evidence;
    use crate::setting::put_setting;
    use crate::{Derived, Document};

    /// Built-in rigs in poses. Each fault has an effect in at least one of them.
    const SCENES: [(&str, &str); 6] = [
        (
            "whale",
            "clip=breach,time=0.3,jaw=40deg,neck=30deg,fin_l_1=-50deg,tail_1=35deg,node_x=1,node_turn=20deg,squash=0.6",
        ),
        ("simple_skin_file", "clip=bend,time=1.7,bend=50deg,node_x=0.5,tip_y=0.2"),
        ("arm", "clip=swing-other-sign,time=0.7,bend=20deg,twist=-150deg,squash=0.6"),
        ("whale", "clip=swim,time=0.3,tail_1=-170deg,fin_l_1=-160deg,node_x=1,squash=0.6"),
        ("head", "nod=40deg,bind_tilt=30deg,squash=0.6"),
        ("gimbal", "yaw=40deg,pitch=30deg,roll=25deg,stretch=0.6"),
    ];

    fn document_with(rig: &Rig, settings: &[Setting]) -> Document {
        let mut document = Document::default();
        for setting in settings {
            put_setting(&mut document.state, setting, Some(rig)).expect("it fits");
        }
        document
    }

    fn evidence(rig: &Arc<Rig>, document: &Document) -> Evidence {
        let derived = Derived::of_document(document, None, rig);
        Evidence::new(&derived, document)
    }

    fn with_fault(document: &Document, fault: FaultName) -> Document {
        let mut document = document.clone();
        for setting in FaultSwitch::new(fault).switched(true, &document.state.clone()) {
            put_setting(&mut document.state, &setting, None).expect("it fits");
        }
        document
    }

    /// A scene with the settings that these faults need.
    fn scene(at: usize, faults: &[FaultName]) -> (Arc<Rig>, Document) {
        let (id, settings) = SCENES[at];
        let rig = builtin(id).expect("built in");
        let mut settings = parse_settings(settings).expect("settings");
        settings.extend(faults.iter().flat_map(|fault| fault.needs()));
        let document = document_with(&rig, &settings);
        (rig, document)
    }

    /// Does the fault have an effect in the scene?
    fn has_effect(at: usize, fault: FaultName) -> bool {
        let (rig, right) = scene(at, &[fault]);
        let wrong = evidence(&rig, &with_fault(&right, fault));
        wrong.difference(&evidence(&rig, &right), 0).is_some()
    }

    #[test]
    fn every_pair_of_faults_differs_in_a_number() {
        let faults: Vec<FaultName> = known_faults().collect();
        let acts: Vec<Vec<bool>> = faults
            .iter()
            .map(|&fault| (0..SCENES.len()).map(|at| has_effect(at, fault)).collect())
            .collect();
        for (fault, acts) in faults.iter().zip(&acts) {
            assert!(acts.contains(&true), "{} acts nowhere", fault.id);
        }
        // The settings that one fault needs change the numbers of the other, so that the
        // evidence depends on the pair. Equal pages are computed once.
        let mut known = Vec::new();
        let mut alone = Vec::new();
        let mut evidence_of = |at: usize, pair: [FaultName; 2], fault: FaultName| {
            let (rig, right) = scene(at, &pair);
            let page = with_fault(&right, fault);
            let found =
                known.iter().find(|(scene, other, _): &&(usize, Document, Arc<Evidence>)| {
                    *scene == at && *other == page
                });
            if let Some((_, _, evidence)) = found {
                return Arc::clone(evidence);
            }
            let evidence = Arc::new(evidence(&rig, &page));
            known.push((at, page, Arc::clone(&evidence)));
            evidence
        };
        for (nth, &one) in faults.iter().enumerate() {
            for (other_nth, &other) in faults.iter().enumerate().skip(nth + 1) {
                let mut both =
                    (0..SCENES.len()).filter(|&at| acts[nth][at] && acts[other_nth][at]).peekable();
                if both.peek().is_none() {
                    // No rig shows both, so that the scene decides.
                    alone.push((one.id, other.id));
                    continue;
                }
                let differ = both.any(|at| {
                    let one_on = evidence_of(at, [one, other], one);
                    let other_on = evidence_of(at, [one, other], other);
                    one_on.difference(&other_on, 0).is_some()
                });
                assert!(differ, "{} and {} show the same", one.id, other.id);
            }
        }
        assert!(alone.len() <= 32, "{alone:?}");
    }

    #[test]
    fn faults_that_are_off_copy_nothing_and_others_are_cached() {
        let (rig, right) = scene(0, &[]);
        let derived = Derived::of_document(&right, None, &rig);
        assert!(Arc::ptr_eq(&derived.rig.mesh, &rig.mesh));
        assert!(derived.influences.is_same(&rig.mesh.influences));

        let mut wrong = with_fault(&right, FaultName::from_id("mesh-turned").expect("there"));
        wrong = with_fault(&wrong, FaultName::from_id("influences-cut").expect("there"));
        let once = derived.of_other(&wrong, None);
        wrong.state.params.insert("jaw".to_owned(), 0.1);
        let again = once.of_other(&wrong, None);
        assert!(!Arc::ptr_eq(&once.rig.mesh, &rig.mesh));
        assert!(Arc::ptr_eq(&once.rig.mesh, &again.rig.mesh));
        assert!(!once.influences.is_same(&rig.mesh.influences));
        assert!(once.influences.is_same(&again.influences));
        let back = again.of_other(&right, None);
        assert!(back.influences.is_same(&rig.mesh.influences), "put back");
    }

    #[test]
    fn effects_of_faults_are_those_of_their_cards() {
        let pages = |at: usize, id: &str| {
            let fault = FaultName::from_id(id).expect("there");
            let (rig, right) = scene(at, &[fault]);
            let wrong = with_fault(&right, fault);
            (evidence(&rig, &right), Derived::of_document(&wrong, None, &rig))
        };
        let sum = |derived: &Derived, vertex: usize| derived.influences[vertex].sum();

        let (_, wrong) = pages(1, "weights-rounded-down");
        assert!((sum(&wrong, 4) - 254.0 / 255.0).abs() < 1e-6, "a half each");
        let (_, wrong) = pages(1, "last-joint-lost");
        assert_eq!((sum(&wrong, 9), sum(&wrong, 4)), (0.0, 0.5));
        assert_eq!(wrong.positions()[9], glam::Vec3::ZERO);
        let (_, wrong) = pages(1, "normalized-ignored");
        assert!((sum(&wrong, 4) - 255.0).abs() < 1.5);

        let (right, wrong) = pages(1, "palette-short");
        assert_eq!(wrong.palette[1], glam::Mat4::ZERO);
        assert!((sum(&wrong, 9) - 1.0).abs() < 1e-6);
        assert_eq!(wrong.positions()[0], right.positions()[0]);
        let (right, wrong) = pages(2, "order-swapped");
        let swapped = wrong.joints.joint_from_bind[1] * wrong.joints.world_from_joint[1];
        assert!(wrong.palette[1].abs_diff_eq(swapped, 1e-5));
        assert!(!right.palette()[1].abs_diff_eq(swapped, 1e-2));
        let (_, wrong) = pages(0, "parent-left-out");
        assert_eq!(wrong.joints.world_from_joint, wrong.joints.parent_from_joint);
        let (_, wrong) = pages(0, "inverse-binds-shifted");
        assert_eq!(wrong.joints.joint_from_bind[0], glam::Mat4::IDENTITY);
        let (_, wrong) = pages(0, "inverse-binds-by-name");
        let index_of = |name: &str| wrong.rig.skeleton.find(name).expect("there").index();
        let stored = wrong.stored_rig.skeleton.joints()[index_of("chest")].joint_from_bind;
        assert_eq!(wrong.joints.joint_from_bind[index_of("root")], stored, "the first by name");
        let (_, wrong) = pages(0, "clip-hundredfold");
        let place = wrong.joints.parent_from_joint[0].w_axis;
        assert!((place.z - 55.0).abs() < 1e-3, "0.55 in the clip: {place}");
        let (_, wrong) = pages(0, "missing-channel-identity");
        let tail = wrong.rig.skeleton.find("tail_1").expect("there").index();
        let place = wrong.joints.parent_from_joint[tail].w_axis;
        assert_eq!(place, glam::Vec4::W, "its translation has no channel");
        let (_, wrong) = pages(4, "degrees-as-radians");
        let cos = wrong.joints.parent_from_joint[1].x_axis.x;
        let expected = (30_f64.to_radians() + 40.0).cos();
        assert!((f64::from(cos) - expected).abs() < 1e-2, "{cos} {expected}");
    }
}
