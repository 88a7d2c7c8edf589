//! One lesson under check: what it names is looked up here, and what is wrong is
//! noted here.

use std::cell::OnceCell;
use std::f64::consts::TAU;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, nearest, short_number};
use bindpose_lesson::{
    DataEdit, Drive, JointName, Lesson, LessonOutline, LessonSet, MatrixCell, OutlinePlace,
    PARAM_LIMIT, PageChange, PictureCell, PictureContent, PlotCell, Setting, within,
};

use crate::matrix::{resolve, with_operators};
use crate::param_values::ParamValues;
use crate::{
    Derived, Document, Edit, EditError, TIME, apply, param_range, playback_param, playback_params,
    step_document,
};

/// Looks up where the value of a key is written: `also[0].goal`.
pub(super) type KeyAt<'a> = &'a dyn Fn(&str) -> LineColumn;

/// One lesson under check.
pub(super) struct Checker<'a> {
    pub(super) set: &'a LessonSet,
    pub(super) lesson: &'a Lesson,
    pub(super) outline: &'a LessonOutline,
    /// By step, what stands on the stage there.
    pub(super) rigs_of_steps: Vec<Option<Arc<Rig>>>,
    /// The part of the text where the check is now.
    pub(super) place: OutlinePlace,
    /// The rig that stands there.
    pub(super) known_rig: Option<Arc<Rig>>,
    /// The step at which what stands in none is looked at.
    pub(super) seen_at: usize,
    /// Does the lesson stand on whatever model the reader opens? `known_rig` is then
    /// the one that stands there without, for the numbers.
    pub(super) own_model: bool,
    pub(super) rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// What the notebook shows at the start of each step.
    pub(super) states: Vec<OnceCell<Option<Derived>>>,
    /// What it shows once something is changed that the step invites to change.
    pub(super) changes: Vec<OnceCell<Vec<ChangedPage>>>,
    /// Is a formula that drives a parameter wrong? Then no number can be held against
    /// what the lesson says of it.
    pub(super) drive_fails: bool,
    pub(super) findings: Vec<Diagnostic>,
    /// What the text under check speaks of, where that is not the start of its step:
    /// what was done, and the numbers then.
    pub(super) after: Option<(Arc<PageChange>, Option<Derived>)>,
}

/// What the page shows once something is changed.
#[derive(Debug)]
pub(super) struct ChangedPage {
    /// What was done: `nod at 30°`.
    pub(super) words: String,
    pub(super) numbers: Derived,
}

impl Checker<'_> {
    /// From here on, what is checked stands in this part of the text, on its rig.
    pub(super) fn stand_in(&mut self, place: OutlinePlace) {
        self.place = place;
        self.known_rig = self.rigs_of_steps.get(self.step()).cloned().flatten();
    }

    /// The step at which what is checked now stands.
    pub(super) fn step(&self) -> usize {
        match self.place {
            OutlinePlace::Step(step) => step,
            OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => self.seen_at,
        }
    }

    /// The numbers that a text speaks of: at the start of its step, or after what has
    /// been done by the time it is read. `None` without a rig.
    pub(super) fn state(&self) -> Option<&Derived> {
        match &self.after {
            Some((_, numbers)) => numbers.as_ref(),
            None => self.start(),
        }
    }

    /// From here on, texts speak of this.
    pub(super) fn speak_after(&mut self, done: Option<&Arc<PageChange>>) {
        let is_same = match (&self.after, done) {
            (Some((before, _)), Some(done)) => Arc::ptr_eq(before, done),
            (before, done) => before.is_none() && done.is_none(),
        };
        if !is_same {
            let numbers = done.map(|done| (Arc::clone(done), self.numbers_after(done)));
            self.after = numbers;
        }
    }

    /// `None` where it cannot be done, which the cell’s own check tells.
    fn numbers_after(&self, done: &PageChange) -> Option<Derived> {
        let rig = self.rig_with_numbers()?;
        let rig = &rig;
        let mut document = step_document(self.lesson, self.step(), Some(rig));
        let edit = Edit::Solve(done.settings.clone(), done.edits.clone());
        apply(&mut document, &edit, self.lesson, rig).ok()?;
        let influences = Derived::edited_influences(&document, rig);
        Some(Derived::new(&document, Some(self.lesson), rig, influences))
    }

    /// The rig, where what it shows can be held against what the lesson says.
    pub(super) fn rig_with_numbers(&self) -> Option<Arc<Rig>> {
        self.known_rig.clone().filter(|_| !self.drive_fails)
    }

    /// The numbers at the start of a step; `None` without a rig, or where a formula that
    /// drives it is wrong.
    pub(super) fn start(&self) -> Option<&Derived> {
        let step = self.step();
        if self.drive_fails {
            return None;
        }
        let rig = self.rigs_of_steps.get(step)?.as_ref()?;
        self.states
            .get(step)?
            .get_or_init(|| {
                let document = step_document(self.lesson, step, Some(rig));
                let influences = Derived::edited_influences(&document, rig);
                Some(Derived::new(&document, Some(self.lesson), rig, influences))
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
        // What is wrong with one draw of an exercise is so with the others.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Is the parameter stored in radians and shown in degrees?
    pub(super) fn is_angle(&self, name: &str) -> bool {
        let mut own = self.lesson.params.iter();
        let own = own.find(|param| param.name == name);
        let rig = self.known_rig.as_ref();
        let of_rig = rig.and_then(|rig| rig.param(name));
        name == "all"
            || own.is_some_and(|param| param.angle)
            || of_rig.is_some_and(|param| param.kind.is_angle())
    }

    /// Names of all parameters, of the rig and of the lesson; on any model, the lesson's
    /// alone.
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

/// What the page would not take.
pub(super) fn unfit(refused: EditError) -> Diagnostic {
    Diagnostic::from(refused).help("write what fits")
}

// Pictures: their headers were read with the lesson; here they are decoded too.

impl Checker<'_> {
    /// Tells of files whose pixels cannot be made.
    pub(super) fn picture_cell(&mut self, cell: &PictureCell, key_at: KeyAt<'_>) {
        let dark = cell.dark.as_ref().map(|dark| ("dark", dark));
        for (key, file) in [("file", &cell.file)].into_iter().chain(dark) {
            let why = file.content.as_ref().and_then(why_undrawn);
            if let Some(why) = why {
                let title = format!("`{}` cannot be shown: {why}", file.name);
                let wrong = Diagnostic::said("INVALID_PICTURE", title);
                self.error(key_at(key), wrong.help("save the picture again"));
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn why_undrawn(content: &PictureContent) -> Option<String> {
    /// Pixels of the longer side of a picture that nobody sees.
    const SIDE: f32 = 64.0;
    let [width, height] = content.size;
    let scale = SIDE / width.max(height);
    let picture = crate::encoded_picture(content);
    let size_px = picture.pixels_for([width * scale, height * scale]);
    picture.pixels(size_px).err()
}

/// Nothing is checked in a browser, which decodes pictures itself.
#[cfg(target_arch = "wasm32")]
fn why_undrawn(_: &PictureContent) -> Option<String> {
    None
}

// Settings: do they name what is there, and do their values fit?

impl Checker<'_> {
    pub(super) fn setting(&mut self, at: LineColumn, setting: &Setting) {
        match setting {
            Setting::Param(name, value) => {
                let meant = self.set_key(name);
                if let (Some(key), Some(_)) = (meant, &self.known_rig)
                    && !self.param_names().contains(&name.as_str())
                {
                    let wrong = Diagnostic::unknown("parameter", name, &[]);
                    self.error(at, wrong.help(format!("write `{key}`")));
                } else if self.param(at, name, true) && self.is_free(at, name) {
                    self.in_range(at, name, *value);
                }
            }
            Setting::Through(Some(joint)) | Setting::Joint(joint) => {
                self.joint(at, joint);
            }
            Setting::Vertex(vertex) => self.vertex(at, *vertex),
            Setting::Clip(name) | Setting::FadeTo(name) => self.clip(at, name),
            Setting::Data(edit) => self.data(at, edit),
            _ => {}
        }
    }

    /// A parameter of the lesson, or what plays, takes nothing beyond its range; one of
    /// the rig, nothing absurd.
    fn in_range(&mut self, at: LineColumn, name: &str, value: f64) {
        let mut own = self.lesson.params.iter();
        let own = own.find(|param| param.name == name);
        let rig = self.known_rig.as_deref();
        let playing = rig.filter(|rig| rig.param(name).is_none());
        let playing = playing.and_then(|rig| playback_param(name, rig));
        let angle = own.is_some_and(|param| param.angle);
        let range = own.map(|param| param.range);
        let Some((low, high)) = range.or(playing.map(|param| param.range)) else {
            if let Err(wrong) = within(value, PARAM_LIMIT) {
                self.error(at, wrong.help("write a smaller number"));
            }
            return;
        };
        let shown = |value: f64| shown_figures(value, angle);
        let (from, to) = (shown(low), shown(high));
        if !(low..=high).contains(&value) {
            let title =
                format!("`{name}` goes from {from} to {to}, and cannot be {}", shown(value));
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let in_degrees = angle && (low..=high).contains(&value.to_radians());
            let help = if in_degrees {
                format!("a number alone is in radians: write \"{value}deg\"")
            } else {
                format!("write a value from {from} to {to}")
            };
            self.error(at, wrong.help(help));
        } else if own.is_some_and(|param| param.whole) && value.fract() != 0.0 {
            let title = format!("`{name}` takes whole numbers, and cannot be {}", shown(value));
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            self.error(at, wrong.help("write a whole number"));
        }
    }

    /// An edit of data fits the rig as the step has it.
    fn data(&mut self, at: LineColumn, edit: &DataEdit) {
        if self.not_data_of_all(at, edit) {
            return;
        }
        for joint in edit.joints() {
            if matches!(joint, JointName::Name(_)) && !self.joint(at, joint) {
                return;
            }
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step(), Some(&rig));
        let edit = Edit::Data(edit.clone());
        if let Err(refused) = apply(&mut document, &edit, self.lesson, &rig) {
            self.error(at, unfit(refused));
        }
    }

    /// A key of `set` blocks that was probably meant by an unknown parameter.
    fn set_key(&self, name: &str) -> Option<&'static str> {
        let known = self.param_names();
        let near_params = nearest(name, known.iter().copied());
        let near_keys = nearest(name, bindpose_lesson::set_keys());
        near_keys
            .first()
            .and_then(|near| bindpose_lesson::set_keys().find(|key| key == near))
            .filter(|_| near_params.is_empty())
    }
}

// Formulas that drive parameters of the rig: there is such a one, the formula has a
// value wherever what it names can be dragged, and nothing else puts it.

impl Checker<'_> {
    pub(super) fn drive(&mut self, at: LineColumn, drive: &Drive, formula_at: LineColumn) {
        let found = self.findings.len();
        if !self.not_in_all_models(at, &drive.param) {
            self.driven(at, drive, formula_at);
        }
        self.drive_fails |= self.findings.len() > found;
    }

    fn driven(&mut self, at: LineColumn, drive: &Drive, formula_at: LineColumn) {
        let mut rigs = self.rigs_of_steps.iter().flatten();
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
                states.push((document, format!(" with {}", self.at_words(name, value))));
            }
        }
        for (document, words) in states {
            let values = ParamValues::new(&document, Some(self.lesson), &rig);
            let Some(driven) = values.driven.iter().find(|one| one.name == drive.param) else {
                return;
            };
            if let Some(error) = &driven.error {
                self.eval_error(formula_at, error);
                if let Some(wrong) = self.findings.last_mut() {
                    wrong.title.push_str(&words);
                }
                return;
            }
            if driven.value.abs() >= PARAM_LIMIT {
                let title = format!("`{}` goes beyond ±{PARAM_LIMIT}{words}", drive.param);
                let wrong = Diagnostic::said("VALUE_NOT_IN_RANGE", title);
                let help = "write a formula that stays small";
                return self.error(formula_at, wrong.help(help));
            }
        }
    }

    /// True for a parameter that may be put to a value; says so of one that a formula
    /// drives.
    pub(super) fn is_free(&mut self, at: LineColumn, name: &str) -> bool {
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

// Figures: sweeps that stay within their parameter, products whose frames meet.

/// As readers see it.
pub(super) fn shown_figures(value: f64, angle: bool) -> String {
    let words = if angle {
        format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0))
    } else {
        short_number(value)
    };
    words.replace('-', "−")
}

impl Checker<'_> {
    /// A plot shows what the reader can reach.
    pub(super) fn sweep(&mut self, cell: &PlotCell, key_at: KeyAt<'_>) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let start = step_document(self.lesson, self.step(), Some(&rig));
        let range = param_range(&cell.sweep, &start, self.lesson, &rig);
        // How far time goes depends on what each line plays.
        let Some((low, high)) = range.filter(|_| cell.sweep != TIME) else {
            return;
        };
        // An angle is no other for a full turn, wherever its slider ends.
        let of_rig = cell.sweep == "all" || rig.param(&cell.sweep).is_some();
        let (low, high) = if of_rig && self.is_angle(&cell.sweep) {
            (low.min(-TAU), high.max(TAU))
        } else {
            (low, high)
        };
        let slack = 1e-4 * (high - low).abs();
        let ends = [("from", &cell.from), ("to", &cell.to)];
        let ends = ends.map(|(key, end)| Some((key, end.as_ref()?.0)));
        for (key, end) in ends.into_iter().flatten() {
            if (low - slack..=high + slack).contains(&end) {
                continue;
            }
            let angle = self.is_angle(&cell.sweep);
            let shown = |value: f64| shown_figures(value, angle);
            let (from, to) = (shown(low), shown(high));
            let title = format!(
                "the plot sweeps `{}` to {}, and it goes from {from} to {to}",
                cell.sweep,
                shown(end)
            );
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let help = format!("write a value from {from} to {to}");
            self.error(key_at(key), wrong.help(help));
        }
    }

    /// Its matrices are there, and its formula comes to something.
    pub(super) fn matrix_cell(&mut self, cell: &MatrixCell, key_at: KeyAt<'_>) {
        for (index, matrix) in cell.show.iter().enumerate() {
            self.matrix(key_at(&format!("show[{index}]")), matrix);
        }
        self.product(cell, key_at);
        if let Some(expr) = &cell.expr {
            self.matrix_formula(key_at("expr").right(1), expr);
        }
    }

    /// The frames of factors meet, and a product that is named last is theirs.
    fn product(&mut self, cell: &MatrixCell, key_at: KeyAt<'_>) {
        let Some(rig) = self.known_rig.clone().filter(|_| cell.product) else {
            return;
        };
        let document = step_document(self.lesson, self.step(), Some(&rig));
        let Some(derived) = self.state() else {
            return;
        };
        let show = cell.show.iter();
        let sources = show.map(|matrix| resolve(matrix, &document, derived));
        let Ok(sources) = sources.collect::<Result<Vec<_>, _>>() else {
            // There is no such joint or vertex, which is said.
            return;
        };
        let stated = (sources.len() > 2).then(|| sources.last().cloned()).flatten();
        let (blocks, seams) = with_operators(cell, sources, derived);
        if let Some(seam) = seams.first() {
            let words = seam.words.trim_end_matches('.');
            let title = format!("the frames of two factors do not meet: {words}");
            let wrong = Diagnostic::said("FRAMES", title)
                .help("write a product as A←B times B←C, which is A←C");
            let at = key_at(&format!("show[{}]", seam.left + 1));
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
            let at = key_at(&format!("show[{}]", cell.show.len() - 1));
            self.error(at, wrong);
        }
    }
}
