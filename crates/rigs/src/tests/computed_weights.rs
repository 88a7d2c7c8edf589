//! Weights that are computed for the rigs.

use std::sync::Arc;

use bindpose_gltf::{Rig, TaskProgress, reweighted};
use bindpose_skin::{Influences, LANES, WeightSource, WeightsBy, WeightsError};

use crate::builtin;

fn reweight_built_in(id: &str, by: WeightsBy) -> Result<Arc<Rig>, WeightsError> {
    let rig = builtin(id).unwrap();
    reweighted(&rig, by, &TaskProgress::default()).finish()
}

#[test]
fn a_limit_keeps_the_strongest_influences_and_those_of_the_file() {
    let stored = builtin("tentacle").unwrap();
    assert!(stored.mesh.lanes() > 2);
    for limit in [1, 2, 4] {
        let by = WeightsBy { most: limit, ..WeightsBy::default() };
        let rig = reweight_built_in("tentacle", by).unwrap();
        assert!(rig.mesh.lanes() <= limit as usize);
        let mut sums = rig.mesh.influences.iter().map(Influences::sum);
        assert!(sums.all(|sum| (sum - 1.0).abs() < 1e-6));
        let of_file = rig.mesh.file_influences.as_ref().unwrap();
        assert!(of_file.is_same(&stored.mesh.influences));
    }
}

#[test]
fn every_source_gives_normalized_weights_for_every_surface() {
    for name in ["arm", "head", "centipede(12)", "tentacle"] {
        for source in WeightSource::ALL {
            let by = WeightsBy { source, ..WeightsBy::default() };
            let rig = reweight_built_in(name, by).unwrap();
            for influences in &rig.mesh.influences {
                assert!(influences.lanes() <= LANES);
                assert!((influences.sum() - 1.0).abs() < 1e-5, "{name} {source:?}");
            }
        }
    }
    let by = WeightsBy { source: WeightSource::BoneHeat, ..WeightsBy::default() };
    let mut points = (*builtin("bone_grid").unwrap()).clone();
    Arc::make_mut(&mut points.mesh).triangles.clear();
    let none = reweighted(&Arc::new(points), by, &TaskProgress::default()).finish();
    assert_eq!(none, Err(WeightsError::NoTriangles));
}

#[test]
fn cancellation_is_reported() {
    let progress = TaskProgress::default();
    let by = WeightsBy { source: WeightSource::BoneHeat, ..WeightsBy::default() };
    let mut work = reweighted(&builtin("arm").unwrap(), by, &progress);
    assert_eq!(work.advance(50_000), None);
    progress.cancel();
    assert_eq!(work.advance(1), Some(Err(WeightsError::Stopped)));
}
