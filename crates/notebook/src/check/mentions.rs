//! Names: do they lead somewhere?

use bindpose_asset::bundled_names;
use bindpose_diagnostic::{Diagnostic, LineColumn, UNKNOWN_NAME};
use bindpose_lesson::{
    ClipName, JointName, JointRef, LessonSet, LinkTarget, LinkWhen, MODEL_ENDINGS, MatrixRef,
    Mention, Mentioned, OutlinePlace, VertexRef, find_lesson_from, find_step, is_file,
};

use super::checker::Checker;
use crate::number_text::capitalised;
use crate::playback::clip_index;
use crate::{OWN_RIG, file_rig, joint_names};

impl Checker<'_> {
    pub(super) fn mention(&mut self, mention: &Mention) {
        let Mention { at, what, after, .. } = mention;
        let at = *at;
        self.speak_after(after.as_ref());
        match what {
            Mentioned::Rig(id) => self.rig(id, at),
            Mentioned::Need(slug) => self.need(slug, at),
            Mentioned::OwnParam(name) => self.own_param(name, at),
            Mentioned::Drive { drive, formula_at } => self.drive(at, drive, *formula_at),
            Mentioned::Link { text, target, target_at } => {
                self.link(at, text, target, *target_at);
            }
            Mentioned::Set(setting) => self.setting(at, setting),
            Mentioned::Hide(id) => self.hide(at, id),
            Mentioned::Part(name) => self.part(at, name),
            Mentioned::Sways(name) => self.sways(at, name),
            Mentioned::Claim { claim, keys } => self.claim(at, claim, keys),
            Mentioned::Math(formula) => self.math(at, formula),
            Mentioned::Listing(name) => self.listing(at, name),
            Mentioned::Cell { kind, keys } => self.cell(at, kind, keys),
        }
    }

    fn rig(&mut self, id: &str, at: LineColumn) {
        if self.known_rig.is_some() {
            return;
        }
        if is_file(id) {
            let placed = self.lesson.rig_at(self.step());
            if let Err(wrong) = file_rig(self.set, placed) {
                self.error(at, wrong);
            }
        } else {
            let known: Vec<&str> = bindpose_asset::builtin_ids()
                .iter()
                .copied()
                .filter(|id| (self.rigs)(id).is_some())
                .chain((self.place == OutlinePlace::Intro && !self.own_model).then_some(OWN_RIG))
                .collect();
            let mut wrong = Diagnostic::unknown("rig", id, &known);
            if let Some(file) = self.model_beside(id) {
                wrong = wrong.help(format!("write `{file}`"));
            }
            self.error(at, wrong);
        }
    }

    /// A model of that name in the folder of the lesson, which was left without its ending.
    fn model_beside(&self, id: &str) -> Option<String> {
        let mut lessons = self.set.lessons.iter();
        let here = lessons.position(|lesson| std::ptr::eq(lesson, self.lesson))?;
        let course = self.set.file_key_of(here);
        let names = [id.to_owned(), capitalised(id)].into_iter();
        let mut files = names.flat_map(|name| MODEL_ENDINGS.map(|end| format!("{name}.{end}")));
        files.find(|file| {
            let id = format!("{course}/{}/{file}", self.lesson.folder);
            self.set.files_of(&id).is_some_and(|(files, path)| files.has(path))
        })
    }

    fn need(&mut self, slug: &str, at: LineColumn) {
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

    fn own_param(&mut self, name: &str, at: LineColumn) {
        let mut rigs = self.rigs_of_steps.iter().flatten();
        if rigs.any(|rig| rig.param(name).is_some()) {
            let title = format!("the rig has a parameter `{name}` already");
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.error(at, wrong.help("choose another name"));
        }
    }

    /// True when there is such a parameter; says so otherwise. Without a rig
    /// nothing can be said.
    pub(super) fn param(&mut self, at: LineColumn, name: &str, all: bool) -> bool {
        if self.known_rig.is_none() || self.not_in_all_models(at, name) {
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

    /// A parameter of the lesson itself.
    pub(super) fn lesson_param(&mut self, at: LineColumn, name: &str) {
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

    /// False when there is no such joint, which is said then. Without a rig nothing
    /// can be said.
    pub(super) fn joint(&mut self, at: LineColumn, joint: &JointName) -> bool {
        if self.not_joint_of_all(at, joint) {
            return false;
        }
        let Some(rig) = &self.known_rig else {
            return true;
        };
        let wrong = match joint {
            JointName::Index(joint) => {
                let count = rig.skeleton.len();
                let number = u32::from(joint.0);
                (joint.index() >= count).then(|| no_number("joint", number, "joints", count))
            }
            JointName::Name(name) => {
                let known = rig.skeleton.find(name).is_some();
                (!known).then(|| Diagnostic::unknown("joint", name, &joint_names(rig)))
            }
        };
        let is_there = wrong.is_none();
        if let Some(wrong) = wrong {
            self.error(at, wrong);
        }
        is_there
    }

    pub(super) fn vertex(&mut self, at: LineColumn, vertex: u32) {
        if self.not_vertex_of_all(at, vertex) {
            return;
        }
        let Some(rig) = &self.known_rig else {
            return;
        };
        let count = rig.mesh.positions.len();
        if vertex as usize >= count {
            let wrong = no_number("vertex", vertex, "vertices", count);
            self.error(at, wrong);
        }
    }

    pub(super) fn clip(&mut self, at: LineColumn, name: &ClipName) {
        if self.own_model && *name != ClipName::None {
            return self.no_model_has(at, &format!("clip `{name}`"));
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

    fn link(&mut self, at: LineColumn, text: &str, target: &LinkTarget, target_at: LineColumn) {
        let unknown = match target {
            LinkTarget::Param(name, format) => {
                if self.param(target_at, name, true) && self.is_free(target_at, name) {
                    self.param_words(at, text, name, format);
                }
                None
            }
            LinkTarget::Value(expr, format, when) => {
                self.value_words((at, target_at), text, (expr, *when), format);
                if *when == LinkWhen::Always
                    && self.place != OutlinePlace::Notes
                    && self.after.is_none()
                {
                    self.steady(at, (expr, format));
                }
                None
            }
            LinkTarget::Joint(joint) => {
                self.joint(target_at, joint);
                None
            }
            LinkTarget::Vertex(vertex) => {
                self.vertex(target_at, *vertex);
                None
            }
            LinkTarget::Lesson { lesson, step } => {
                unknown_lesson(self.set, &self.lesson.slug, lesson, step.as_deref())
            }
            LinkTarget::Term(slug) => unknown_term(self.set, slug),
            LinkTarget::Model(name) => unknown_model(name),
            // Each setting is a mention of its own.
            LinkTarget::Set(_) | LinkTarget::Url(_) => None,
        };
        if let Some(unknown) = unknown {
            self.error(target_at, unknown);
        }
    }

    fn hide(&mut self, at: LineColumn, id: &str) {
        let on_stage = |id: &str| {
            let step_stage = match self.place {
                OutlinePlace::Step(step) => self.lesson.steps.get(step),
                OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => None,
            };
            let step_cells = step_stage.into_iter().flat_map(|step| &step.stage);
            let mut cells = self.lesson.stage.iter().chain(step_cells);
            cells.any(|cell| cell.id == id)
        };
        if on_stage(id) {
            return;
        }
        let ids: Vec<&str> =
            self.outline.cell_ids.iter().map(String::as_str).filter(|id| on_stage(id)).collect();
        let broken = self.outline.incomplete
            || self.outline.cell_ids.iter().any(|known| known == id)
                && !self.lesson.findings.is_empty();
        if broken {
            // Its own finding says more.
            return;
        }
        let wrong = Diagnostic::unknown("cell on the stage", id, &ids)
            .title(format!("no cell `{id}` stands on the stage"));
        self.error(at, wrong);
    }

    /// A name in `drag` or `watch`: a parameter, or a cell that the step shows.
    fn part(&mut self, at: LineColumn, name: &str) {
        let Some(step) = self.lesson.steps.get(self.step()) else {
            return;
        };
        let staged = self.lesson.stage.iter();
        let staged = staged.filter(|cell| !step.hide.contains(&cell.id));
        let cells = staged.chain(step.cells()).map(|cell| cell.id.as_str());
        let cells: Vec<&str> = cells.collect();
        let unread = self.outline.incomplete || !self.lesson.findings.is_empty();
        if cells.contains(&name) || unread || self.known_rig.is_none() {
            return;
        }
        let mut known = self.param_names();
        known.push("all");
        if known.contains(&name) {
            self.is_free(at, name);
            return;
        }
        known.extend(cells);
        let wrong = Diagnostic::unknown("parameter or cell", name, &known)
            .title(format!("the step shows no parameter and no cell `{name}`"));
        self.error(at, wrong);
    }

    /// A name in `sways`: a parameter of the rig or the lesson that nothing drives.
    pub(super) fn sways(&mut self, at: LineColumn, name: &str) {
        let known = self.param_names();
        if known.contains(&name) {
            self.is_free(at, name);
        } else if self.known_rig.is_some() {
            let wrong = Diagnostic::unknown("parameter", name, &known);
            self.error(at, wrong);
        }
    }

    /// Of whole programs there is one of each name: tests find them by it.
    fn listing(&mut self, at: LineColumn, name: &str) {
        let all = self.set.outlined().flat_map(|(lesson, outline)| {
            let mentions = outline.mentions.iter();
            mentions.map(move |mention| (lesson, mention))
        });
        let mut named = all.filter(
            |(_, mention)| matches!(&mention.what, Mentioned::Listing(other) if other == name),
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

    pub(super) fn matrix(&mut self, at: LineColumn, matrix: &MatrixRef) {
        if let Some(JointRef::Named(joint)) = matrix.joint() {
            self.joint(at, joint);
        }
        if let MatrixRef::SkinMatrix(VertexRef::Index(vertex)) = matrix {
            self.vertex(at, *vertex);
        }
    }
}

/// A number of a joint or a vertex that the rig does not have.
fn no_number(what: &str, number: u32, all: &str, count: usize) -> Diagnostic {
    Diagnostic { code: UNKNOWN_NAME, ..Diagnostic::expected(what, number.to_string()) }
        .title(format!("there is no {what} {number}"))
        .help(format!("the rig has {count} {all}, numbered from 0"))
}

/// What is wrong with something the glossary names, and where.
pub(super) fn glossary_mention(
    set: &LessonSet,
    mention: &Mention,
) -> Option<(LineColumn, Diagnostic)> {
    Some(match &mention.what {
        Mentioned::Link { target, target_at, .. } => {
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
        Mentioned::Math(formula) => super::formulas::math_error(formula, mention.at)?,
        _ => return None,
    })
}

fn unknown_term(set: &LessonSet, slug: &str) -> Option<Diagnostic> {
    // Without a glossary, one finding says it for all.
    if set.term(slug).is_some() || set.glossary.is_empty() || set.is_glossary_incomplete() {
        return None;
    }
    let slugs: Vec<&str> = set.glossary.iter().map(|term| term.slug.as_str()).collect();
    let unknown = Diagnostic::unknown("term", slug, &slugs);
    Some(unknown.title(format!("the glossary has no term `{slug}`")))
}

fn unknown_model(name: &str) -> Option<Diagnostic> {
    let names = bundled_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    (!names.contains(&name)).then(|| Diagnostic::unknown("model", name, &names))
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
