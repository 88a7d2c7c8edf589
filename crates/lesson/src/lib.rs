//! Reads lessons: Markdown with front matter, steps and cells, and the formulas in them.
//! Depends on no user interface and holds no state of a page.

#![forbid(unsafe_code)]

mod bounded;
mod cell_texts;
mod cell_validation;
mod cells;
mod course;
mod course_archive;
mod csv;
mod data_edit;
mod drawn_body;
mod expr;
mod fault;
mod find;
mod front_matter;
mod gizmo;
mod inline;
mod inventory;
#[cfg(not(target_arch = "wasm32"))]
mod json_schema;
mod known_faults;
mod known_systems;
mod listing;
pub mod matrix_names;
mod matrix_product;
mod matrix_ref;
mod model;
mod model_source;
mod number;
pub mod number_text;
mod outline;
mod palette_options;
mod picture;
mod plain_name;
mod plot_data;
mod quoted_decimals;
mod reader;
mod rig_names;
mod routes;
mod schema;
mod set;
mod setting;
mod settings;
pub mod significant_digits;
mod site_folder;
mod step_notes;
mod symbols;
mod toml_body;
mod toml_error;
mod toml_value;
mod typeset;

pub use bounded::{
    BrightestTint, CloseDistance, ColumnFraction, Decimals, DrawingHeight, LaneCount, LineCount,
    RowCount, ViewHeight,
};
pub use cell_texts::{PageChange, key_of_condition, open_texts};
pub use cells::{Cell, CellKind};
pub use course::{BuiltInLessons, COURSE_FILE, Course};
#[cfg(not(target_arch = "wasm32"))]
pub use course_archive::pack;
pub use course_archive::{
    COURSE_EXTENSION, COURSE_FORMULAS, CourseFiles, FileBytes, MAX_FILE_BYTES, PackedFiles,
    SITE_COURSE, unpack,
};
pub use csv::{MAX_CSV_BYTES, csv_table, read_data_files};
pub use data_edit::{DataEdit, DataEdits, MAX_CELL_ABS, numbers, with_commas};
pub use drawn_body::{CellDraws, DrawnCell, numbers_text};
#[cfg(any(test, feature = "testing"))]
pub use expr::PROGRAM_RUNS;
pub use expr::{
    EvalError, Expr, FormulaOutcome, FormulaSubject, FormulaValue, FrameSeam, HERE, Matrix,
    MatrixKind, Moves, NamedThing, PageAtPoint, PoseProgram, ProgramError, ProgramRun, SeamKind,
    Values, Vector3, Vector4, VectorKind,
};
pub use fault::SkinningFault;
pub use find::{course_of, find_lesson, find_lesson_from, find_page, find_step, moved_steps};
pub use gizmo::{Gizmo, GizmoFrame};
pub use inline::{
    Inline, LinkTarget, LinkWhen, Passage, Text, inlines_of, inlines_text, math_text, short_text,
};
pub use inventory::{ChoiceOrigin, INVENTORY_FILE, Inventory, InventoryQuestion, Misconception};
#[cfg(not(target_arch = "wasm32"))]
pub use json_schema::{SchemaPart, all_parts_schema, written_parts};
pub use known_faults::{FaultName, FaultPlace, KnownFault, known_faults};
pub use known_systems::{KnownSystem, SystemWord};
pub use listing::{PieceKind, pieces};
pub use matrix_product::{Factor, MAX_FACTORS, MatrixProduct};
pub use matrix_ref::{COLUMN_MEANINGS, JointRef, MatrixRef, VertexRef};
pub use model::*;
pub use model_source::{ComparedModel, FileReading, FileVariant, Rewriting};
pub use number::{
    MAX_DECIMALS, MAX_NUMBER_ABS, MAX_PARAM_ABS, NumberFormat, Quantity, Tolerance, parse_quantity,
    within,
};
pub use outline::{
    IncludedParts, LessonOutline, Mention, MentionKind, OutlinePlace, read_picture_files,
};

pub use palette_options::{Crowd, Device, Transport};
pub use picture::{PictureContent, PictureFile, PictureFormat};
pub use plot_data::{DataTable, MAX_PATH_VERTICES, PathMeasure, PathPart, PlotData};
pub use quoted_decimals::quotes_decimals;
pub use reader::{parse_lesson, parse_outlined};
pub use rig_names::{ClipName, JointName};
pub use routes::{Route, RoutePage, RouteStop};
pub use schema::*;
pub use set::{COURSE_TEXTS, DiskChange, LessonSet};
pub use setting::Setting;
#[cfg(any(test, feature = "testing"))]
pub use setting::example_settings;
pub use settings::{LessonParam, Settings, parse_settings, set_keys};
pub use step_notes::StepNotes;
pub use symbols::{Symbol, SymbolTable};
pub use typeset::{
    FORMULAS_FILE, FormulaSetting, FormulaTable, LayoutError, SymbolBox, SymbolForm, formula_error,
    laid_out, symbol_places, written_in,
};
