//! State and logic of the open notebook: the document, its undo history, values
//! derived from it, and edits.

#![forbid(unsafe_code)]

mod apply_edit;
pub mod camera;
pub mod cell_text;
pub mod chain;
mod chain_state;
mod color_scale;
mod compared_pose;
mod computed_weights;
mod cover;
mod crowd;
pub mod demonstration;
mod derived;
mod document;
mod edit;
pub mod engine_numbers;
pub mod exercise;
pub mod exercise_cells;
pub mod export;
pub mod fault_evidence;
pub mod faults;
pub mod file_bytes;
pub mod findings_here;
mod formula_values;
pub mod glsl;
pub mod gpu_limits;
pub mod gpu_proof;
mod ground_shadow;
mod history;
pub mod inventory;
mod joint_move;
mod joint_name;
mod joints;
mod lesson_assets;
mod lesson_time;
pub mod link;
mod linked_highlight;
pub mod matrix;
mod model_bounds;
mod model_data;
mod model_size;
mod moment;
mod navigation;
mod open_notebook;
pub mod page_state;
pub mod palette_plan;
pub mod palette_texture;
mod param_values;
mod picture;
mod playback;
pub mod plot;
pub mod posing;
mod preferences;
pub mod progress;
pub mod question;
mod record;
mod refused;
pub mod scene;
pub mod scene_graph;
pub mod search;
mod setting;
mod setting_label;
pub mod shelf;
pub mod shown_cells;
mod shuffle;
mod skinned;
pub mod stage_points;
mod step_changes;
mod step_marks;
mod step_reach;
mod step_start;
mod steps;
mod stored_vertex;
#[cfg(any(test, feature = "testing"))]
pub mod test_sample;
mod transition;
pub mod viewport;
mod weight_cache;
mod weight_edits;
mod weight_facts;
mod weights_file;
mod weights_text;

pub use apply_edit::apply;
pub use color_scale::{
    SUM_TOLERANCE, largest_sum_error, measures, sum_errors, tint_most, weight_errors,
};
pub use compared_pose::{in_pose_of_page, same_joint};
pub use computed_weights::{WeightsState, WorkMode};
pub use cover::{
    CoverRoute, CoverWay, CoverWayEnd, NOTEBOOK_TITLE, cover_routes, cover_title, cover_ways,
    cover_words,
};
pub use demonstration::offered_params;
pub use derived::{Derived, InfluencePoint};
pub use document::{
    Answer, CellText, Document, GivenFile, InverseBindEdit, Playback, Prediction,
    PrescribedConventions, StepState, TexelEdits,
};
pub use edit::{Edit, EditTarget, PageSnapshot};
pub use glsl::{DrawnWith, ShaderFinding, ShaderReport, VertexShader};
pub use gpu_limits::GpuLimits;
pub use ground_shadow::{GroundShadow, MAX_SHADOW_DISCS};
pub use history::History;
pub use joint_name::{
    is_same_edit, is_same_joint, is_same_setting, joint_index, joint_label, joint_names,
    joint_words,
};
pub use lesson_assets::{
    OWN_FALLBACK, OWN_RIG, builtin_id, encoded_picture, file_rig, lesson_rig, model_name,
};
pub use lesson_time::LessonTime;
pub use linked_highlight::{Entity, LinkedHighlight};
pub use model_bounds::{longest_side, rest_bounds};
pub use model_size::size_in_world;
pub use moment::UndoPoint;
pub use navigation::{Cameras, Navigation, PageAddress, PendingAction, PendingActionKind};
pub use open_notebook::{
    ModelsB, Notebook, OpenedCourse, OtherPage, ReloadOutcome, ReopenedPage, RigSource,
};
pub use page_state::{PageState, param_range};
pub use param_values::{DrivenParam, ParamValues};
pub use picture::EncodedPicture;
pub use playback::{
    FADE_PARAM, PlaybackParam, TIME_PARAM, clip_index, clip_name, playback_param, playback_params,
};
pub use preferences::{
    KeptPage, MAX_RECENT_MODELS, Preferences, PreferencesTable, ZOOM_RANGE, carry_over,
    parse_table, table_text, work_from, work_text,
};
pub use progress::{ReaderProgress, StepProgress};
pub use record::{InventoryAnswerEntry, InventoryEntry, MisconceptionEntry, Record};
pub use refused::EditError;
pub use setting::{SettingGroup, copy_settings, put_setting};
pub use step_changes::{StepChange, step_changes};
pub use step_marks::{MAX_NOTE_CHARS, StepMarks};
pub use step_reach::StepReach;
pub use step_start::StepStart;
use steps::reset_settings;
pub use steps::{apply_setting, carried_on, holds, learnt_viewport, step_document};
pub use transition::Transition;
pub use weight_cache::{SumBin, SumBins};
pub use weight_edits::{InfluencesEdit, WeightEdits};
pub use weight_facts::can_be_normalized;
pub use weights_file::WeightsFile;
