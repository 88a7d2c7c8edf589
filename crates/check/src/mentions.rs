//! Check of names in the text: links, parameters, joints, vertices, cells and lessons.

use bindpose_diagnostic::{Diagnostic, LineColumn, UNKNOWN_NAME};
use bindpose_lesson::number_text::capitalised;
use bindpose_lesson::{
    ClipName, JointName, JointRef, LessonSet, LinkTarget, LinkWhen, MODEL_EXTENSIONS, MatrixRef,
    Mention, MentionKind, OutlinePlace, VertexRef, find_lesson_from, find_step, is_file,
};
use bindpose_rigs::bundled_names;

use super::checker::Checker;
use bindpose_notebook::shelf::SHELF;
use bindpose_notebook::{OWN_RIG, clip_index, file_rig, joint_names};

impl Checker<'_> {
    pub(super) fn check_mention(&mut self, mention: &Mention) {
        let Mention { at, what, after, .. } = mention;
        let at = *at;
        self.set_page_change(after.as_ref());
        match what {
            MentionKind::Rig(id) => self.check_rig(id, at),
            MentionKind::Need(slug) => self.check_prerequisite(slug, at),
            MentionKind::OwnParam(name) => self.check_own_param(name, at),
            MentionKind::Drive { drive, formula_at } => self.check_drive(at, drive, *formula_at),
            MentionKind::Link { text, target, target_at } => {
                self.check_link(at, text, target, *target_at);
            }
            MentionKind::Set(setting) => self.check_setting(at, setting),
            MentionKind::StageCell(id) => self.check_stage_cell(at, id),
            MentionKind::Part(name) => self.check_demonstrated_part(at, name),
            MentionKind::Sways(name) => self.check_swaying_param(at, name),
            MentionKind::Claim { claim, keys } => self.check_claim(at, claim, keys),
            MentionKind::Math(formula) => self.check_math(at, formula),
            MentionKind::Listing(name) => self.check_listing(at, name),
            MentionKind::Cell { kind, keys } => self.check_cell(at, kind, keys),
        }
    }

    fn check_rig(&mut self, id: &str, at: LineColumn) {
        if self.known_rig.is_some() {
            return;
        }
        if is_file(id) {
            let placed = self.lesson.rig_at(self.step_index());
            if let Err(wrong) = file_rig(self.set, placed) {
                self.error(at, wrong);
            }
        } else {
            let known: Vec<&str> = bindpose_rigs::builtin_ids()
                .iter()
                .copied()
                .filter(|id| (self.builtin_rig)(id).is_some())
                .chain((self.place == OutlinePlace::Intro && !self.own_model).then_some(OWN_RIG))
                .collect();
            let mut wrong = Diagnostic::unknown("rig", id, &known);
            if let Some(file) = self.find_model_file(id) {
                wrong = wrong.help(format!("write `{file}`"));
            }
            self.error(at, wrong);
        }
    }

    /// Returns the model in the folder of the lesson that has this name and an ending.
    fn find_model_file(&self, id: &str) -> Option<String> {
        let mut lessons = self.set.lessons.iter();
        let here = lessons.position(|lesson| std::ptr::eq(lesson, self.lesson))?;
        let course = self.set.file_key_of(here);
        let names = [id.to_owned(), capitalised(id)].into_iter();
        let mut files = names.flat_map(|name| MODEL_EXTENSIONS.map(|end| format!("{name}.{end}")));
        files.find(|file| {
            let id = format!("{course}/{}/{file}", self.lesson.folder);
            self.set.files_of(&id).is_some_and(|(files, path)| files.has(path))
        })
    }

    fn check_prerequisite(&mut self, slug: &str, at: LineColumn) {
        let mut lessons = self.set.lessons.iter();
        let here = lessons.position(|lesson| std::ptr::eq(lesson, self.lesson));
        match find_lesson_from(&self.set.lessons, slug, &self.lesson.slug) {
            Ok(index) => {
                if here.is_some_and(|here| index >= here) {
                    let title = format!("`{slug}` does not come before this lesson");
                    let wrong = Diagnostic::said("LESSON_ORDER", title);
                    self.error(at, wrong.help("name lessons with a smaller number"));
                }
            }
            Err(unknown) if !self.set.is_missing(slug) => self.error(at, unknown),
            Err(_) => {}
        }
    }

    fn check_own_param(&mut self, name: &str, at: LineColumn) {
        let mut rigs = self.step_rigs.iter().flatten();
        if rigs.any(|rig| rig.param(name).is_some()) {
            let title = format!("the rig has a parameter `{name}` already");
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.error(at, wrong.help("choose another name"));
        }
    }

    /// Reports an unknown parameter. Returns whether the parameter exists, false without
    /// a rig. With `all`, the name of all angles is a parameter too.
    pub(super) fn check_param(&mut self, at: LineColumn, name: &str, all: bool) -> bool {
        if self.known_rig.is_none() || self.reject_model_param(at, name) {
            return false;
        }
        let mut names = self.param_names();
        if all {
            names.push("all");
        }
        if names.contains(&name) {
            return true;
        }
        let wrong = Diagnostic::unknown("parameter", name, &names);
        self.error(at, wrong);
        false
    }

    /// Reports a parameter that the lesson itself does not define.
    pub(super) fn check_lesson_param(&mut self, at: LineColumn, name: &str) {
        let own: Vec<&str> = self.lesson.params.iter().map(|p| p.name.as_str()).collect();
        if own.contains(&name) {
            return;
        }
        let wrong = Diagnostic::unknown("parameter", name, &own)
            .title(format!("the lesson has no parameter `{name}`"));
        let wrong = if own.is_empty() {
            wrong.help(format!("add [params.{name}] to the front matter"))
        } else {
            wrong
        };
        self.error(at, wrong);
    }

    /// Reports an unknown joint. Returns whether the joint exists, true without a rig.
    pub(super) fn check_joint(&mut self, at: LineColumn, joint: &JointName) -> bool {
        if self.reject_model_joint(at, joint) {
            return false;
        }
        let Some(rig) = &self.known_rig else {
            return true;
        };
        let wrong = match joint {
            JointName::Index(joint) => {
                let count = rig.skeleton.len();
                let number = u32::from(joint.0);
                (joint.index() >= count).then(|| missing_index("joint", number, "joints", count))
            }
            JointName::Name(name) => {
                let known = rig.skeleton.find(name).is_some();
                (!known).then(|| Diagnostic::unknown("joint", name, &joint_names(rig)))
            }
        };
        let exists = wrong.is_none();
        if let Some(wrong) = wrong {
            self.error(at, wrong);
        }
        exists
    }

    pub(super) fn check_vertex(&mut self, at: LineColumn, vertex: u32) {
        if self.reject_model_vertex(at, vertex) {
            return;
        }
        let Some(rig) = &self.known_rig else {
            return;
        };
        let count = rig.mesh.positions.len();
        if vertex as usize >= count {
            let wrong = missing_index("vertex", vertex, "vertices", count);
            self.error(at, wrong);
        }
    }

    pub(super) fn check_clip(&mut self, at: LineColumn, name: &ClipName) {
        if self.own_model && *name != ClipName::None {
            return self.report_not_in_every_model(at, &format!("clip `{name}`"));
        }
        let Some(rig) = &self.known_rig else {
            return;
        };
        if clip_index(name, rig).is_err() {
            let names: Vec<&str> = rig.clips.iter().map(|clip| clip.name.as_str()).collect();
            let wrong = Diagnostic::unknown("clip", &name.to_string(), &names);
            let wrong = if names.is_empty() { wrong.help("the rig has no clips") } else { wrong };
            self.error(at, wrong);
        }
    }

    fn check_link(
        &mut self,
        at: LineColumn,
        text: &str,
        target: &LinkTarget,
        target_at: LineColumn,
    ) {
        let unknown = match target {
            LinkTarget::Param(name, format) => {
                if self.check_param(target_at, name, true) && self.check_not_driven(target_at, name)
                {
                    self.check_param_text(at, text, name, format);
                }
                None
            }
            LinkTarget::Value(expr, format, when) => {
                self.check_value_text(at, text, target_at, expr, *when, format);
                if *when == LinkWhen::Always
                    && self.place != OutlinePlace::Notes
                    && self.page_change.is_none()
                {
                    self.check_steady_number(at, expr, format);
                }
                None
            }
            LinkTarget::Joint(joint) => {
                self.check_joint(target_at, joint);
                None
            }
            LinkTarget::Vertex(vertex) => {
                self.check_vertex(target_at, *vertex);
                None
            }
            LinkTarget::Lesson { lesson, step } => {
                unknown_lesson(self.set, &self.lesson.slug, lesson, step.as_deref())
            }
            LinkTarget::Term(slug) => unknown_term(self.set, slug),
            LinkTarget::Model(name) => unknown_model(name),
            // Settings are checked as mentions of their own.
            LinkTarget::Set(_) | LinkTarget::Url(_) => None,
        };
        if let Some(unknown) = unknown {
            self.error(target_at, unknown);
        }
    }

    fn check_stage_cell(&mut self, at: LineColumn, id: &str) {
        let step_cells = match self.place {
            OutlinePlace::Step(step) => self.lesson.steps.get(step),
            OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => None,
        }
        .into_iter()
        .flat_map(|step| &step.stage);
        let staged: Vec<&str> =
            self.lesson.stage.iter().chain(step_cells).map(|cell| cell.id.as_str()).collect();
        if id == SHELF || staged.contains(&id) {
            return;
        }
        let ids: Vec<&str> = self
            .outline
            .cell_ids
            .iter()
            .map(String::as_str)
            .filter(|id| staged.contains(id))
            .collect();
        let broken = self.outline.incomplete
            || self.outline.cell_ids.iter().any(|known| known == id)
                && !self.lesson.findings.is_empty();
        if broken {
            // The finding on the broken cell is enough.
            return;
        }
        let wrong = Diagnostic::unknown("cell on the stage", id, &ids)
            .title(format!("no cell `{id}` stands on the stage"));
        self.error(at, wrong);
    }

    /// Reports a name in `drag` or `watch` that is neither a parameter nor a cell of the step.
    fn check_demonstrated_part(&mut self, at: LineColumn, name: &str) {
        let Some(step) = self.lesson.steps.get(self.step_index()) else {
            return;
        };
        let cells: Vec<&str> = self
            .lesson
            .stage
            .iter()
            .filter(|cell| !step.hide.contains(&cell.id))
            .chain(step.cells())
            .map(|cell| cell.id.as_str())
            .collect();
        let unread = self.outline.incomplete || !self.lesson.findings.is_empty();
        if cells.contains(&name) || unread || self.known_rig.is_none() {
            return;
        }
        let mut known = self.param_names();
        known.push("all");
        if known.contains(&name) {
            self.check_not_driven(at, name);
            return;
        }
        known.extend(cells);
        let wrong = Diagnostic::unknown("parameter or cell", name, &known)
            .title(format!("the step shows no parameter and no cell `{name}`"));
        self.error(at, wrong);
    }

    /// Reports a name in `sways` that is no parameter, or one that follows a formula.
    pub(super) fn check_swaying_param(&mut self, at: LineColumn, name: &str) {
        let known = self.param_names();
        if known.contains(&name) {
            self.check_not_driven(at, name);
        } else if self.known_rig.is_some() {
            let wrong = Diagnostic::unknown("parameter", name, &known);
            self.error(at, wrong);
        }
    }

    /// Reports a second listing of the same name, because tests find listings by name.
    fn check_listing(&mut self, at: LineColumn, name: &str) {
        let all = self.set.outlined().flat_map(|(lesson, outline)| {
            let mentions = outline.mentions.iter();
            mentions.map(move |mention| (lesson, mention))
        });
        let mut named = all.filter(
            |(_, mention)| matches!(&mention.what, MentionKind::Listing(other) if other == name),
        );
        let Some((lesson, first)) = named.next() else {
            return;
        };
        let is_this =
            lesson.folder == self.lesson.folder && (first.place, first.at) == (self.place, at);
        if !is_this {
            let title = format!(
                "there is a listing `{name}` already, in line {} of {}",
                first.at.line, lesson.folder
            );
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.error(at, wrong.help("give each listing a name of its own"));
        }
    }

    pub(super) fn check_matrix(&mut self, at: LineColumn, matrix: &MatrixRef) {
        if let Some(JointRef::Named(joint)) = matrix.joint() {
            self.check_joint(at, joint);
        }
        if let MatrixRef::SkinMatrix(VertexRef::Index(vertex)) = matrix {
            self.check_vertex(at, *vertex);
        }
    }
}

/// Returns a finding about the index of a joint or vertex that the rig does not have.
fn missing_index(what: &str, number: u32, all: &str, count: usize) -> Diagnostic {
    Diagnostic { code: UNKNOWN_NAME, ..Diagnostic::expected(what, number.to_string()) }
        .title(format!("there is no {what} {number}"))
        .help(format!("the rig has {count} {all}, numbered from 0"))
}

/// Returns the position and description of a broken link or formula in the glossary.
pub(super) fn glossary_mention(
    set: &LessonSet,
    mention: &Mention,
) -> Option<(LineColumn, Diagnostic)> {
    Some(match &mention.what {
        MentionKind::Link { target, target_at, .. } => {
            let wrong = match target {
                LinkTarget::Term(slug) => unknown_term(set, slug)?,
                LinkTarget::Model(name) => unknown_model(name)?,
                LinkTarget::Lesson { lesson, step } => {
                    unknown_lesson(set, "", lesson, step.as_deref())?
                }
                LinkTarget::Url(_) => return None,
                LinkTarget::Param(..)
                | LinkTarget::Value(..)
                | LinkTarget::Joint(_)
                | LinkTarget::Vertex(_)
                | LinkTarget::Set(_) => {
                    let title = "the glossary has no rig that this link could name";
                    Diagnostic::said("NO_RIG", title)
                        .help("link to terms, lessons and the web alone")
                }
            };
            (*target_at, wrong)
        }
        MentionKind::Math(formula) => super::formulas::math_error(formula, mention.at)?,
        _ => return None,
    })
}

fn unknown_term(set: &LessonSet, slug: &str) -> Option<Diagnostic> {
    // A missing glossary is reported once for all links.
    if set.term(slug).is_some() || set.glossary.is_empty() || set.is_glossary_incomplete() {
        return None;
    }
    let slugs: Vec<&str> = set.glossary.iter().map(|term| term.slug.as_str()).collect();
    let unknown = Diagnostic::unknown("term", slug, &slugs);
    Some(unknown.title(format!("the glossary has no term `{slug}`")))
}

fn unknown_model(name: &str) -> Option<Diagnostic> {
    let models = bundled_names();
    let known: Vec<&str> = models.iter().map(String::as_str).collect();
    (!known.contains(&name)).then(|| Diagnostic::unknown("model", name, &known))
}

pub(super) fn unknown_lesson(
    set: &LessonSet,
    from: &str,
    lesson: &str,
    step: Option<&str>,
) -> Option<Diagnostic> {
    match find_lesson_from(&set.lessons, lesson, from) {
        Ok(index) => {
            let (lesson, outline) = set.outlined().nth(index)?;
            find_step(lesson, step?).err().filter(|_| !outline.incomplete)
        }
        Err(unknown) => Some(unknown).filter(|_| !set.is_missing(lesson)),
    }
}
