//! Frames of a viewport, into a context of the page.

use std::sync::Arc;

use bindpose_gltf::{ClipAt, Image, ModelSource, Rig, TaskProgress, open};
use bindpose_lesson::Transport;
use bindpose_notebook::scene::Scene;
use bindpose_render::{Renderer, ViewId};
use eframe::glow;
use glam::Mat4;
use wasm_bindgen::prelude::*;
use web_sys::WebGl2RenderingContext;

use crate::scenes::{BenchCrowd, scene};

/// Our renderer, with one model, which plays its first clip.
#[wasm_bindgen]
pub struct Drawing {
    renderer: Renderer,
    rig: Arc<Rig>,
    scene: Scene,
}

#[wasm_bindgen]
impl Drawing {
    /// `model`: the bytes of a GLB.
    ///
    /// Errors: what is wrong with context or model.
    #[wasm_bindgen(constructor)]
    pub fn new(context: WebGl2RenderingContext, model: Vec<u8>) -> Result<Drawing, String> {
        let gl = Arc::new(glow::Context::from_webgl2_context(context));
        let renderer = Renderer::new(gl).map_err(|wrong| wrong.to_string())?;
        let source = ModelSource::alone("model", model);
        let rig = open(&source, &TaskProgress::default()).map_err(|wrong| wrong.to_string())?;
        if rig.clips.is_empty() {
            return Err("the model has no clip: every frame would be the same".to_owned());
        }
        let rig = Arc::new(rig);
        let palette = pose(&rig, 0.0);
        let scene = Scene::plain(&rig.mesh, palette);
        Ok(Self { renderer, rig, scene })
    }

    /// The model's only image, which a browser decodes; to be given before the first
    /// frame. `rgba`: rows from top to bottom.
    pub fn give_image(&self, width: u32, height: u32, rgba: Vec<u8>) {
        let image = Image { width, height, rgba };
        for stored in &self.rig.mesh.images {
            stored.decoded_elsewhere(Some(image.clone()));
        }
    }

    /// How many from now on, and on how many pixels.
    pub fn show(&mut self, count: u32, width: u32, height: u32) {
        let palette = pose(&self.rig, 0.0);
        let transport = Transport::default();
        let size = [width, height];
        self.scene = scene(&self.rig, palette, transport, self.crowd(count), size);
    }

    /// Where each of so many stands, as matrices in columns.
    pub fn places(&self, count: u32) -> Vec<f32> {
        let placed = self.crowd(count).placed();
        placed.iter().flat_map(Mat4::to_cols_array).collect()
    }

    /// The camera, as a matrix in columns.
    pub fn clip_from_world(&self) -> Vec<f32> {
        let [width, height] = self.scene.size.map(|side| side as f32);
        let clip_from_world = self.scene.camera.clip_from_world(width / height);
        clip_from_world.to_cols_array().to_vec()
    }

    /// One frame of the clip.
    ///
    /// Errors: what GL refuses, and a frame that is the last one again, which is not drawn.
    pub fn frame(&mut self, seconds: f64) -> Result<(), String> {
        self.scene.palette = pose(&self.rig, seconds).into();
        let before = self.renderer.draw_count();
        let drawn = self.renderer.draw(ViewId(1), &self.scene);
        drawn.map_err(|wrong| wrong.to_string())?;
        if self.renderer.draw_count() == before {
            return Err("nothing was drawn".to_owned());
        }
        Ok(())
    }

    /// Red, green, blue and alpha of the last frame, rows from top to bottom.
    ///
    /// Fails when there is none.
    pub fn pixels(&self) -> Result<Vec<u8>, String> {
        let picture = self.renderer.read_pixels(ViewId(1));
        Ok(picture.map_err(|wrong| wrong.to_string())?.into_raw())
    }

    /// Vertices of the model.
    pub fn vertices(&self) -> u32 {
        self.rig.mesh.positions.len() as u32
    }

    /// Triangles of the model.
    pub fn triangles(&self) -> u32 {
        self.rig.mesh.triangles.len() as u32
    }

    /// So far from each other that none touches another.
    fn crowd(&self, count: u32) -> BenchCrowd {
        let (low, high) = self.rig.mesh.bounds();
        let widest = (high - low).with_y(0.0).max_element();
        BenchCrowd { count, apart: 1.25 * widest }
    }
}

fn pose(rig: &Rig, seconds: f64) -> Vec<Mat4> {
    let clip = ClipAt { clip: 0, time_secs: seconds, share: 1.0 };
    let posed = rig.posed_in(&[clip], |_| None);
    posed.world_from_bind(&rig.skeleton)
}
