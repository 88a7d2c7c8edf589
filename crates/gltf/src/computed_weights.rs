//! Replaces the stored weights of a mesh by computed ones.

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
        Self::spend(self, work).await.map_err(|Cancelled| WeightsError::Stopped)
    }
}

/// Computes weights for a rig from its skeleton in the bind pose. Returns the rig with these
/// weights. Parts without a skin keep theirs.
///
/// # Errors
///
/// The task returns a [`WeightsError`] if the weights cannot be computed, or if it was
/// cancelled.
pub fn reweighted(
    rig: &Arc<Rig>,
    by: WeightsBy,
    progress: &TaskProgress,
) -> Paced<Result<Arc<Rig>, WeightsError>> {
    let rig = Arc::clone(rig);
    Paced::new(progress, async move |pace| {
        let mesh = &rig.mesh;
        let influences = match by.source {
            WeightSource::Stored => limit_stored_influences(mesh, by.most as usize),
            _ => compute_for_skins(&rig, &by, &pace).await?,
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

/// Keeps the strongest stored influences of each vertex.
fn limit_stored_influences(mesh: &Mesh, max_influences: usize) -> SharedInfluences {
    let mut limited = Vec::with_capacity(mesh.influences.len());
    for (vertex, influences) in (0..).zip(&mesh.influences) {
        let pairs: Vec<_> = match mesh.many.get(&vertex) {
            Some(many) => many.clone(),
            None if influences.lanes() <= max_influences => {
                limited.push(*influences);
                continue;
            }
            None => influences.used().map(|(_, joint, weight)| (joint, weight)).collect(),
        };
        limited.push(Influences::new(&keep_strongest(&pairs, max_influences)));
    }
    limited.into()
}

async fn compute_for_skins(
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
