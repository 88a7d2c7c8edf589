//! A mesh with other weights than those of its file.

use std::sync::Arc;

use bindpose_skin::{
    BindSurface, Influences, SharedInfluences, WeightSource, WeightsBy, WeightsError, WorkPace,
    computed_weights, keep_strongest,
};

use super::progress::{Cancelled, Pace};
use super::{Mesh, Paced, Rig, TaskProgress};

impl WorkPace for Pace {
    async fn spend(&self, work: usize, done: f32) -> Result<(), WeightsError> {
        self.progress().set(done);
        let spent = Self::spend(self, work).await;
        spent.map_err(|Cancelled| WeightsError::Stopped)
    }
}

/// The rig with weights that are worked out, in the bind pose, from its own skeleton.
/// What moves with a node, and has no skin, stays as it is.
///
/// Ends with an error where there are no such weights; see [`WeightsError`].
pub fn reweighted(
    rig: &Arc<Rig>,
    by: WeightsBy,
    progress: &TaskProgress,
) -> Paced<Result<Arc<Rig>, WeightsError>> {
    let rig = Arc::clone(rig);
    Paced::new(progress, async move |pace| {
        let mesh = &rig.mesh;
        let influences = match by.source {
            WeightSource::Stored => fewer(mesh, by.most as usize),
            _ => of_skins(&rig, &by, &pace).await?,
        };
        Ok(Arc::new(Rig {
            mesh: Arc::new(Mesh {
                influences,
                file_influences: Some(mesh.influences.clone()),
                stored_sums: Vec::new(),
                many: std::collections::BTreeMap::new(),
                ..(**mesh).clone()
            }),
            ..(*rig).clone()
        }))
    })
}

/// The strongest of those that are stored.
fn fewer(mesh: &Mesh, most: usize) -> SharedInfluences {
    let limited = |(vertex, influences): (u32, &Influences)| {
        let pairs: Vec<_> = match mesh.many.get(&vertex) {
            Some(many) => many.clone(),
            None if influences.lanes() <= most => return *influences,
            None => influences.used().map(|(_, joint, weight)| (joint, weight)).collect(),
        };
        Influences::new(&keep_strongest(&pairs, most))
    };
    (0..).zip(&mesh.influences).map(limited).collect()
}

async fn of_skins(
    rig: &Rig,
    by: &WeightsBy,
    pace: &Pace,
) -> Result<SharedInfluences, WeightsError> {
    let mesh = &rig.mesh;
    let surface = BindSurface { positions: &mesh.positions, triangles: &mesh.triangles };
    let mut all = computed_weights(&surface, &rig.skeleton, by, pace).await?;
    for part in mesh.parts.iter().filter(|part| part.skin.is_none()) {
        let range = part.vertices.start as usize..part.vertices.end as usize;
        let stored = mesh.influences.get(range.clone());
        if let (Some(all), Some(stored)) = (all.get_mut(range), stored) {
            all.copy_from_slice(stored);
        }
    }
    Ok(all.into())
}

#[cfg(test)]
mod tests {
    use bindpose_skin::LANES;

    use super::*;
    use crate::builtin;

    fn with(rig: &str, by: WeightsBy) -> Result<Arc<Rig>, WeightsError> {
        let rig = builtin(rig).unwrap();
        reweighted(&rig, by, &TaskProgress::default()).finish()
    }

    #[test]
    fn a_limit_keeps_the_strongest_and_the_file_s_own_beside_them() {
        let stored = builtin("tentacle").unwrap();
        let most = |rig: &Rig| rig.mesh.influences.iter().map(Influences::lanes).max();
        assert!(most(&stored) > Some(2));
        for limit in [1, 2, 4] {
            let by = WeightsBy { most: limit, ..WeightsBy::default() };
            let rig = with("tentacle", by).unwrap();
            assert!(most(&rig) <= Some(limit as usize));
            let sums = rig.mesh.influences.iter().map(Influences::sum);
            assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-6));
            let of_file = rig.mesh.file_influences.as_ref().unwrap();
            assert!(of_file.is_same(&stored.mesh.influences));
        }
    }

    #[test]
    fn every_model_with_a_surface_has_weights_of_every_source() {
        for name in ["arm", "head", "centipede(12)", "tentacle"] {
            for source in WeightSource::ALL {
                let by = WeightsBy { source, ..WeightsBy::default() };
                let rig = with(name, by).unwrap();
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
    fn what_is_stopped_says_so() {
        let progress = TaskProgress::default();
        let by = WeightsBy { source: WeightSource::BoneHeat, ..WeightsBy::default() };
        let mut work = reweighted(&builtin("arm").unwrap(), by, &progress);
        assert_eq!(work.advance(50_000), None);
        progress.cancel();
        assert_eq!(work.advance(1), Some(Err(WeightsError::Stopped)));
    }
}
