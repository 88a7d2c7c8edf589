//! From text to lessons: front matter, steps, cells. No egui, no live state.

mod cell_sense;
mod cell_texts;
mod cells;
mod clip_name;
mod course;
mod course_archive;
mod course_files;
mod csv;
mod data_edit;
mod data_files;
mod data_table;
mod drawn_body;
mod draws;
mod drive;
mod expr;
mod fault;
mod file_ids;
mod file_reading;
mod find;
mod front_matter;
mod gizmo;
mod included_parts;
mod inline;
mod inventory;
mod joint_name;
#[cfg(not(target_arch = "wasm32"))]
mod json_schema;
mod known_faults;
mod known_systems;
mod listing;
mod math_text;
mod matrix_product;
mod matrix_ref;
mod model;
mod model_b;
mod number;
mod outline;
mod palette_options;
mod picture;
mod picture_files;
mod reader;
mod routes;
mod schema;
mod set;
mod setting;
mod settings;
mod short_text;
mod source;
mod step_notes;
mod symbols;
mod text;
mod toml_body;
mod toml_error;
mod toml_text;
mod toml_value;
mod typeset;
mod vertex_path;
mod written_value;

pub use cell_texts::key_of_condition;
pub use cell_texts::{PageChange, open_texts};
pub use cells::{Cell, CellKind};
pub use clip_name::ClipName;
pub use course::{BuiltInLessons, COURSE_FILE, Course};
#[cfg(not(target_arch = "wasm32"))]
pub use course_archive::pack;
pub use course_archive::{COURSE_ENDING, COURSE_FORMULAS, PackedFiles, SITE_COURSE, unpack};
pub use course_files::{CourseFiles, FileBytes, MAX_FILE_BYTES};
pub use csv::{MAX_CSV_BYTES, csv_table};
pub use data_edit::{CELL_LIMIT, numbers, with_commas};
pub use data_edit::{DataEdit, DataEdits};
pub use data_files::read_data_files;
pub use data_table::{DataTable, PlotData};
pub use draws::{CellDraws, Draw, numbers_text};
pub use drive::Drive;
#[cfg(any(test, feature = "testing"))]
pub use expr::RUNS;
pub use expr::{
    EvalError, Expr, FormulaOutcome, FormulaSubject, FormulaValue, FrameSeam, HERE, Here, Matrix,
    MatrixKind, Moves, NamedThing, PoseProgram, ProgramError, ProgramRun, SeamKind, Values,
    Vector3, Vector4, VectorKind,
};
pub use fault::SkinningFault;
pub use file_ids::{is_file, is_model};
pub use file_reading::{FileVariant, Reading};
pub use find::{course_of, find_lesson, find_lesson_from, find_step};
pub use gizmo::{Gizmo, GizmoFrame};
pub use included_parts::IncludedParts;
pub use inline::{Inline, LinkTarget, LinkWhen, inlines_text};
pub use inventory::{INVENTORY_FILE, Inventory, InventoryOption, InventoryQuestion, Misconception};
pub use joint_name::JointName;
#[cfg(not(target_arch = "wasm32"))]
pub use json_schema::{WrittenPart, all_parts_schema, written_parts};
pub use known_faults::{FaultName, FaultPlace, KnownFault, known_faults};
pub use known_systems::{KnownSystem, SystemWord};
pub use listing::{PieceKind, pieces};
pub use math_text::math_text;
pub use matrix_product::{Factor, MOST_FACTORS, MatrixProduct};
pub use matrix_ref::{JointRef, MatrixRef, VertexRef};
pub use model::*;
pub use model_b::{ModelB, Rewriting};
pub use number::{
    MAX_DECIMALS, NUMBER_LIMIT, NumberFormat, PARAM_LIMIT, Quantity, parse_quantity, within,
};
pub use outline::{LessonOutline, Mention, Mentioned, OutlinePlace};

pub use palette_options::{Crowd, Device, Transport};
pub use picture::{PictureContent, PictureFile, PictureFormat};
pub use picture_files::read_picture_files;
pub use reader::{parse_lesson, parse_outlined};
pub use routes::{Route, RoutePage, RouteStop};
pub use schema::*;
pub use set::{COURSE_TEXTS, DiskChange, LessonSet};
pub use setting::Setting;
#[cfg(any(test, feature = "testing"))]
pub use setting::example_settings;
pub use settings::{LessonParam, Settings, parse_settings, set_keys};
pub use short_text::{inlines_of, short_text};
pub use step_notes::StepNotes;
pub use symbols::{Symbol, SymbolTable, WrittenSymbol};
pub use text::{Passage, Text};
pub use typeset::{
    FormulaSetting, FormulaTable, SymbolPlace, Unset, formula_error, laid_out, symbol_places,
    written_in,
};
pub use vertex_path::{MAX_PATH, PathMeasure, PathPart};
