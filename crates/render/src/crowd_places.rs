//! Where the members of crowds stand, on the GPU: uploaded when they stand elsewhere.

use std::sync::Arc;

use bindpose_notebook::scene::CrowdScene;
use glam::Mat4;

use super::buffers::{Context, InstanceBuffer};

/// Crowds that stay on the GPU at most.
const KEPT: usize = 4;

/// The columns of all `world_from_instance` of one crowd.
pub(super) struct CrowdPlaces {
    crowd: Arc<CrowdScene>,
    pub(super) columns: [InstanceBuffer<[f32; 4]>; 4],
    pub(super) count: u32,
}

/// Least recently used first.
#[derive(Default)]
pub(super) struct KeptPlaces(Vec<CrowdPlaces>);

impl KeptPlaces {
    /// Those of this crowd. Its palettes may be others in every frame: places are
    /// told by what they are.
    pub(super) fn get(&mut self, context: &Context, crowd: &Arc<CrowdScene>) -> &CrowdPlaces {
        let same = |kept: &CrowdPlaces| {
            Arc::ptr_eq(&kept.crowd, crowd)
                || kept.crowd.world_from_instance == crowd.world_from_instance
        };
        let places = match self.0.iter().position(same) {
            Some(index) => self.0.remove(index),
            None => CrowdPlaces::new(context, crowd),
        };
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        self.0.push(places);
        let last = self.0.len() - 1;
        &self.0[last]
    }
}

impl CrowdPlaces {
    fn new(context: &Context, crowd: &Arc<CrowdScene>) -> Self {
        let placed = &crowd.world_from_instance;
        let column = |column: usize| {
            let all: Vec<[f32; 4]> =
                placed.iter().map(|m: &Mat4| m.col(column).to_array()).collect();
            InstanceBuffer::new_with_data(context, &all)
        };
        Self {
            crowd: Arc::clone(crowd),
            columns: std::array::from_fn(column),
            count: placed.len() as u32,
        }
    }
}
