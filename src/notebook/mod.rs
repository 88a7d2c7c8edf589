//! The open notebook: what is saved and undone, what follows from it, and what
//! can be done to it.

mod apply;
pub mod budget;
pub mod camera;
pub mod characters;
pub mod check;
mod crowd;
mod derived;
pub mod digits;
mod document;
mod edit;
mod edit_label;
pub mod exercise;
pub mod export;
mod extent;
pub mod file_bytes;
pub mod file_places;
pub mod glsl;
mod history;
mod holds;
mod limits;
pub mod link;
mod linked;
pub mod nodes;
pub mod numbers;
mod open;
mod own;
pub mod palette_plan;
mod playback;
pub mod proof;
#[cfg(test)]
pub(crate) mod sample;
pub mod scene;
mod setting;
mod settings;
mod shader;
mod size_in_frame;
mod steps;
mod stored;
mod sum_bins;
pub mod texels;
mod tint_scale;
mod typing;
mod values;
pub mod viewport;

pub use apply::apply;
pub use derived::{Derived, InfluencePoint};
pub use document::{Document, InverseBindEdit, Playback, Prediction, StepState, TexelEdits};
pub use edit::{Edit, Refused};
pub use extent::rest_bounds;
pub use history::History;
pub use holds::holds;
pub use limits::GpuLimits;
pub use linked::{Entity, Linked};
pub use open::{Notebook, RigSource};
pub use own::{Moment, OWN_FALLBACK, OWN_RIG, builtin_id, model_name};
pub use playback::{
    FADE, FRAMES_PER_SEC, PlaybackParam, TIME, clip_index, clip_name, playback_param,
    playback_params,
};
pub use setting::{SettingGroup, copy_settings};
pub use settings::{Settings, ZOOM_RANGE};
pub use shader::{DrawnWith, ShaderFinding, ShaderReport, VertexShader};
use steps::reset_settings;
pub use steps::{apply_setting, enter_step, step_document};
pub use sum_bins::{SumBin, SumBins};
pub use tint_scale::{SUM_TOLERANCE, largest_sum_error, sum_errors, tint_most};
