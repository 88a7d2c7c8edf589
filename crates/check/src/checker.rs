//! The checker of one lesson: its state, and the checks of settings, pictures, driving
//! formulas, sweeps and matrices.

use std::cell::OnceCell;
use std::f64::consts::TAU;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, nearest, short_number};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    DataEdit, Drive, JointName, Lesson, LessonOutline, LessonSet, MAX_PARAM_ABS, MatrixCell,
    OutlinePlace, PageChange, PictureCell, PictureContent, PlotCell, Setting, within,
};

use bindpose_notebook::matrix::{resolve, with_operators};
use bindpose_notebook::{
    Derived, Document, Edit, EditError, ParamValues, TIME_PARAM, apply, param_range,
    playback_param, playback_params, step_document,
};

/// Positions in the text of the keys that a cell sets.
#[derive(Clone, Copy)]
pub(super) struct KeyPositions<'a> {
    pub(super) keys: &'a [(String, LineColumn)],
    /// Position of the cell, for keys that it does not set.
    pub(super) cell_at: LineColumn,
}

impl KeyPositions<'_> {
    /// Returns the position of the value of a key, such as `also[0].goal`.
    pub(super) fn at(self, path: &str) -> LineColumn {
        self.keys.iter().find(|(key, _)| key == path).map_or(self.cell_at, |(_, at)| *at)
    }
}

/// Checks one lesson and collects the findings.
pub(super) struct Checker<'a> {
    pub(super) set: &'a LessonSet,
    pub(super) lesson: &'a Lesson,
    pub(super) outline: &'a LessonOutline,
    /// The rig of each step.
    pub(super) step_rigs: Vec<Option<Arc<Rig>>>,
    /// The part of the text under check.
    pub(super) place: OutlinePlace,
    /// The rig of the step under check, see [`Self::step_index`].
    pub(super) known_rig: Option<Arc<Rig>>,
    /// The step at which text that belongs to no step is checked.
    pub(super) stage_step: usize,
    /// Is the lesson written for whatever model the reader opens? `known_rig` is then
    /// the rig that the program shows without a model, to compute numbers with.
    pub(super) own_model: bool,
    /// Looks up a built-in rig by its name.
    pub(super) builtin_rig: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// The page at the start of each step, computed on demand.
    pub(super) states: Vec<OnceCell<Option<Derived>>>,
    /// For each step, the page after each change that the step invites the reader to
    /// make, computed on demand.
    pub(super) changes: Vec<OnceCell<Vec<ChangedPage>>>,
    /// Has a formula that drives a parameter an error? Numbers in the prose are then not
    /// checked.
    pub(super) drive_fails: bool,
    pub(super) findings: Vec<Diagnostic>,
    /// The change that the reader has made before reading the text under check, with the
    /// values of the page then. `None` if the text describes the start of its step.
    pub(super) page_change: Option<(Arc<PageChange>, Option<Derived>)>,
}

/// The page after a change.
#[derive(Debug)]
pub(super) struct ChangedPage {
    /// Description of the change, such as `nod at 30°`.
    pub(super) words: String,
    pub(super) numbers: Derived,
}

impl Checker<'_> {
    /// Continues the check in another part of the text, on the rig of its step.
    pub(super) fn enter_place(&mut self, place: OutlinePlace) {
        self.place = place;
        self.known_rig = self.step_rigs.get(self.step_index()).cloned().flatten();
    }

    /// Returns the step at which the text under check is read.
    pub(super) fn step_index(&self) -> usize {
        match self.place {
            OutlinePlace::Step(step) => step,
            OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => self.stage_step,
        }
    }

    /// Returns the values of the page when the text under check is read: at the start of
    /// its step, or after the reader's change. Returns `None` without a rig.
    pub(super) fn current_state(&self) -> Option<&Derived> {
        match &self.page_change {
            Some((_, numbers)) => numbers.as_ref(),
            None => self.start_state(),
        }
    }

    /// Sets the change that the reader has made before reading the texts that follow.
    pub(super) fn set_page_change(&mut self, change: Option<&Arc<PageChange>>) {
        let is_same = match (&self.page_change, change) {
            (Some((before, _)), Some(change)) => Arc::ptr_eq(before, change),
            (before, change) => before.is_none() && change.is_none(),
        };
        if !is_same {
            self.page_change = change.map(|change| (Arc::clone(change), self.derive_after(change)));
        }
    }

    /// Returns `None` if the change cannot be applied, which the check of the cell reports.
    fn derive_after(&self, change: &PageChange) -> Option<Derived> {
        let rig = &self.rig_with_numbers()?;
        let mut document = step_document(self.lesson, self.step_index(), Some(rig));
        let edit = Edit::solve(&change.settings, &change.edits);
        apply(&mut document, &edit, self.lesson, rig).ok()?;
        Some(Derived::of_document(&document, Some(self.lesson), rig))
    }

    /// Returns the rig if numbers computed with it can be compared with those in the prose.
    pub(super) fn rig_with_numbers(&self) -> Option<Arc<Rig>> {
        self.known_rig.clone().filter(|_| !self.drive_fails)
    }

    /// Returns the values of the page at the start of the step. Returns `None` without a
    /// rig, or if a driving formula has an error.
    pub(super) fn start_state(&self) -> Option<&Derived> {
        let step = self.step_index();
        if self.drive_fails {
            return None;
        }
        let rig = self.step_rigs.get(step)?.as_ref()?;
        self.states
            .get(step)?
            .get_or_init(|| {
                let document = step_document(self.lesson, step, Some(rig));
                Some(Derived::of_document(&document, Some(self.lesson), rig))
            })
            .as_ref()
    }

    pub(super) fn error(&mut self, at: LineColumn, wrong: Diagnostic) {
        let name = match self.place {
            OutlinePlace::Notes => "notes.md",
            OutlinePlace::Intro | OutlinePlace::Step(_) | OutlinePlace::Glossary => "lesson.md",
        };
        let file = format!("{}/{name}", self.lesson.folder);
        let finding = wrong.at(Within::text(file, at));
        // The draws of an exercise share most of their mistakes.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Is the parameter stored in radians and shown in degrees?
    pub(super) fn is_angle(&self, name: &str) -> bool {
        let own = self.lesson.params.iter().find(|param| param.name == name);
        let rig_param = self.known_rig.as_ref().and_then(|rig| rig.param(name));
        name == "all"
            || own.is_some_and(|param| param.angle)
            || rig_param.is_some_and(|param| param.kind.is_angle())
    }

    /// Returns the names of all parameters of the lesson, the rig and its playback. In a
    /// lesson for the reader's own model, returns those of the lesson alone.
    pub(super) fn param_names(&self) -> Vec<&str> {
        let of_rig = self.known_rig.iter().flat_map(|rig| rig.params.iter());
        let own = self.lesson.params.iter().map(|param| param.name.as_str());
        if self.own_model {
            return own.collect();
        }
        let rig = self.known_rig.as_deref();
        let playing = rig.map(playback_params).unwrap_or_default();
        own.chain(of_rig.map(|param| param.name.as_str()))
            .chain(playing.into_iter().map(|param| param.name))
            .collect()
    }
}

/// Converts the error of a rejected edit into a finding.
pub(super) fn edit_finding(refused: EditError) -> Diagnostic {
    Diagnostic::from(refused).help("write what fits")
}

impl Checker<'_> {
    /// Decodes the files of a picture and reports those without pixels. Their headers were
    /// parsed with the lesson.
    pub(super) fn check_picture_cell(&mut self, cell: &PictureCell, keys: KeyPositions<'_>) {
        let dark = cell.dark.as_ref().map(|dark| ("dark", dark));
        for (key, file) in [("file", &cell.file)].into_iter().chain(dark) {
            let why = file.content.as_ref().and_then(decode_error);
            if let Some(why) = why {
                let title = format!("`{}` cannot be shown: {why}", file.name);
                let wrong = Diagnostic::said("INVALID_PICTURE", title);
                self.error(keys.at(key), wrong.help("save the picture again"));
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn decode_error(content: &PictureContent) -> Option<String> {
    /// Decoding at a small size is enough to find errors.
    const SIDE: f32 = 64.0;
    let [width, height] = content.size;
    let scale = SIDE / width.max(height);
    let picture = bindpose_notebook::encoded_picture(content);
    let size_px = picture.pixels_for([width * scale, height * scale]);
    picture.pixels(size_px).err()
}

/// Checks nothing, because browsers decode pictures themselves.
#[cfg(target_arch = "wasm32")]
fn decode_error(_: &PictureContent) -> Option<String> {
    None
}

impl Checker<'_> {
    /// Checks that a setting names existing things, and that its value fits.
    pub(super) fn check_setting(&mut self, at: LineColumn, setting: &Setting) {
        match setting {
            Setting::Param(name, value) => {
                let similar_key = self.similar_set_key(name);
                if let (Some(key), Some(_)) = (similar_key, &self.known_rig)
                    && !self.param_names().contains(&name.as_str())
                {
                    let wrong = Diagnostic::unknown("parameter", name, &[]);
                    self.error(at, wrong.help(format!("write `{key}`")));
                } else if self.check_param(at, name, true) && self.check_not_driven(at, name) {
                    self.check_range(at, name, *value);
                }
            }
            Setting::Through(Some(joint)) | Setting::Joint(joint) => {
                self.check_joint(at, joint);
            }
            Setting::Vertex(vertex) => self.check_vertex(at, *vertex),
            Setting::Clip(name) | Setting::FadeTo(name) => self.check_clip(at, name),
            Setting::Data(edit) => self.check_data_edit(at, edit),
            _ => {}
        }
    }

    /// Reports a value outside the range of a parameter of the lesson or of playback, or
    /// beyond [`MAX_PARAM_ABS`] for a parameter of the rig.
    fn check_range(&mut self, at: LineColumn, name: &str, value: f64) {
        let own = self.lesson.params.iter().find(|param| param.name == name);
        let playback = self
            .known_rig
            .as_deref()
            .filter(|rig| rig.param(name).is_none())
            .and_then(|rig| playback_param(name, rig));
        let angle = own.is_some_and(|param| param.angle);
        let range = own.map(|param| param.range).or(playback.map(|param| param.range));
        let Some((low, high)) = range else {
            if let Err(wrong) = within(value, MAX_PARAM_ABS) {
                self.error(at, wrong.help("write a smaller number"));
            }
            return;
        };
        let shown = format_figures(value, angle);
        let from = format_figures(low, angle);
        let to = format_figures(high, angle);
        if !(low..=high).contains(&value) {
            let title = format!("`{name}` goes from {from} to {to}, and cannot be {shown}");
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let in_degrees = angle && (low..=high).contains(&value.to_radians());
            let help = if in_degrees {
                format!("a number alone is in radians: write \"{value}deg\"")
            } else {
                format!("write a value from {from} to {to}")
            };
            self.error(at, wrong.help(help));
        } else if own.is_some_and(|param| param.whole) && value.fract() != 0.0 {
            let title = format!("`{name}` takes whole numbers, and cannot be {shown}");
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            self.error(at, wrong.help("write a whole number"));
        }
    }

    /// Reports an edit that cannot be applied at the start of the step.
    fn check_data_edit(&mut self, at: LineColumn, edit: &DataEdit) {
        if self.reject_model_data(at, edit) {
            return;
        }
        for joint in edit.joints() {
            if matches!(joint, JointName::Name(_)) && !self.check_joint(at, joint) {
                return;
            }
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step_index(), Some(&rig));
        let edit = Edit::data(edit.clone());
        if let Err(refused) = apply(&mut document, &edit, self.lesson, &rig) {
            self.error(at, edit_finding(refused));
        }
    }

    /// Returns the key of a `set` block that the author of an unknown parameter probably
    /// meant. Returns `None` if a parameter has a similar name.
    fn similar_set_key(&self, name: &str) -> Option<&'static str> {
        let known = self.param_names();
        let near_params = nearest(name, known.iter().copied());
        let near_keys = nearest(name, bindpose_lesson::set_keys());
        near_keys
            .first()
            .and_then(|near| bindpose_lesson::set_keys().find(|key| key == near))
            .filter(|_| near_params.is_empty())
    }
}

impl Checker<'_> {
    /// Checks that a driven parameter exists in the rig, and that its formula has a value
    /// at the ends of the range of each parameter that it depends on.
    pub(super) fn check_drive(&mut self, at: LineColumn, drive: &Drive, formula_at: LineColumn) {
        let found = self.findings.len();
        if !self.reject_model_param(at, &drive.param) {
            self.check_drive_formula(at, drive, formula_at);
        }
        self.drive_fails |= self.findings.len() > found;
    }

    fn check_drive_formula(&mut self, at: LineColumn, drive: &Drive, formula_at: LineColumn) {
        let mut rigs = self.step_rigs.iter().flatten();
        let has = rigs.find(|rig| rig.param(&drive.param).is_some());
        let Some(rig) = has.or(self.known_rig.as_ref()).cloned() else {
            return;
        };
        if rig.param(&drive.param).is_none() {
            let names: Vec<&str> = rig.params.iter().map(|param| param.name.as_str()).collect();
            let wrong = Diagnostic::unknown("parameter", &drive.param, &names)
                .title(format!("the rig has no parameter `{}`", drive.param));
            return self.error(at, wrong);
        }
        let start = Document::default();
        let mut states = vec![(start.clone(), String::new())];
        for (name, _) in drive.formula.names() {
            let range = param_range(name, &start, self.lesson, &rig);
            for value in range.into_iter().flat_map(|(low, high)| [low, high]) {
                let mut document = start.clone();
                document.state.params.insert(name.to_owned(), value);
                states.push((document, format!(" with {}", self.describe_value(name, value))));
            }
        }
        for (document, words) in states {
            let values = ParamValues::new(&document, Some(self.lesson), &rig);
            let Some(driven) = values.driven.iter().find(|one| one.name == drive.param) else {
                return;
            };
            if let Some(error) = &driven.error {
                self.report_eval_error(formula_at, error);
                if let Some(wrong) = self.findings.last_mut() {
                    wrong.title.push_str(&words);
                }
                return;
            }
            if driven.value.abs() >= MAX_PARAM_ABS {
                let title = format!("`{}` goes beyond ±{MAX_PARAM_ABS}{words}", drive.param);
                let wrong = Diagnostic::said("VALUE_NOT_IN_RANGE", title);
                let help = "write a formula that stays small";
                return self.error(formula_at, wrong.help(help));
            }
        }
    }

    /// Reports a parameter that follows a formula and cannot be set. Returns whether the
    /// parameter is free.
    pub(super) fn check_not_driven(&mut self, at: LineColumn, name: &str) -> bool {
        let Some(formula) = self.lesson.drive_of(name) else {
            return true;
        };
        let title = format!("`{name}` follows {}", formula.source);
        let own = formula.names();
        let help = match own.first() {
            Some((own, _)) => format!("name what it depends on, such as {own}"),
            None => format!("leave {name} out of [drive]"),
        };
        let wrong = Diagnostic::said("DRIVEN", title).help(help);
        self.error(at, wrong);
        false
    }
}

/// Formats a value as readers see it. Angles are in degrees, to one decimal.
pub(super) fn format_figures(value: f64, angle: bool) -> String {
    let words = if angle {
        format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0))
    } else {
        short_number(value)
    };
    words.replace('-', "−")
}

impl Checker<'_> {
    /// Reports a plot that sweeps a parameter to values that the reader cannot reach.
    pub(super) fn check_sweep(&mut self, cell: &PlotCell, keys: KeyPositions<'_>) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let start = step_document(self.lesson, self.step_index(), Some(&rig));
        let range = param_range(&cell.sweep, &start, self.lesson, &rig);
        // The range of the time depends on the clip of each line.
        let Some((low, high)) = range.filter(|_| cell.sweep != TIME_PARAM) else {
            return;
        };
        // Angles of a rig are periodic, so that a plot may sweep a full turn beyond the
        // range of the slider.
        let of_rig = cell.sweep == "all" || rig.param(&cell.sweep).is_some();
        let (low, high) = if of_rig && self.is_angle(&cell.sweep) {
            (low.min(-TAU), high.max(TAU))
        } else {
            (low, high)
        };
        let slack = 1e-4 * (high - low).abs();
        let angle = self.is_angle(&cell.sweep);
        for (key, end) in [("from", &cell.from), ("to", &cell.to)] {
            let Some(end) = end.as_ref().map(|end| end.0) else { continue };
            if (low - slack..=high + slack).contains(&end) {
                continue;
            }
            let from = format_figures(low, angle);
            let to = format_figures(high, angle);
            let title = format!(
                "the plot sweeps `{}` to {}, and it goes from {from} to {to}",
                cell.sweep,
                format_figures(end, angle)
            );
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let help = format!("write a value from {from} to {to}");
            self.error(keys.at(key), wrong.help(help));
        }
    }

    /// Checks that the matrices of a cell exist, and that its formula has a value.
    pub(super) fn check_matrix_cell(&mut self, cell: &MatrixCell, keys: KeyPositions<'_>) {
        for (index, matrix) in cell.show.iter().enumerate() {
            self.check_matrix(keys.at(&format!("show[{index}]")), matrix);
        }
        self.check_product_frames(cell, keys);
        if let Some(expr) = &cell.expr {
            self.check_matrix_formula(keys.at("expr").right(1), expr);
        }
    }

    /// Reports factors whose frames do not meet, and a stated product in other frames than
    /// the product of the factors.
    fn check_product_frames(&mut self, cell: &MatrixCell, keys: KeyPositions<'_>) {
        let Some(rig) = self.known_rig.clone().filter(|_| cell.product) else {
            return;
        };
        let document = step_document(self.lesson, self.step_index(), Some(&rig));
        let Some(derived) = self.current_state() else {
            return;
        };
        let sources = cell.show.iter().map(|matrix| resolve(matrix, &document, derived));
        let Ok(sources) = sources.collect::<Result<Vec<_>, _>>() else {
            // Unknown joints and vertices are reported by `check_matrix`.
            return;
        };
        let stated = (sources.len() > 2).then(|| sources.last().cloned()).flatten();
        let (blocks, seams) = with_operators(cell, sources, derived);
        if let Some(seam) = seams.first() {
            let words = seam.words.trim_end_matches('.');
            let title = format!("the frames of two factors do not meet: {words}");
            let wrong = Diagnostic::said("FRAMES", title)
                .help("write a product as A←B times B←C, which is A←C");
            let at = keys.at(&format!("show[{}]", seam.left + 1));
            return self.error(at, wrong);
        }
        let frames = blocks.last().map(|block| block.source.named);
        let Some((stated, product)) = stated.zip(frames) else {
            return;
        };
        if (stated.named.to, stated.named.from) != (product.to, product.from) {
            let title = format!(
                "the product is {} from {}, and {} stands in its place",
                product.to,
                product.from,
                stated.name()
            );
            let wrong = Diagnostic::said("FRAMES", title)
                .help("name the product last, or leave it out where there are two factors");
            let at = keys.at(&format!("show[{}]", cell.show.len() - 1));
            self.error(at, wrong);
        }
    }
}
