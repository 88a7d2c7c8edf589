//! Names: do they lead somewhere?

use super::checker::Checker;
use crate::asset::FileLayout;
use crate::lesson::{
    At, BytesCell, CellKind, ClipName, JointRef, LessonSet, MatrixRef, Mention, Mentioned,
    PARAM_LIMIT, Place, Setting, Target, VertexRef, did_you_mean, find_lesson, find_step,
};
use crate::notebook::OWN_RIG;
use crate::notebook::playback::clip_index;
use crate::skin::JointIndex;

impl Checker<'_> {
    pub(super) fn mention(&mut self, mention: &Mention) {
        let Mention { at, place, what } = mention;
        let (at, place) = (*at, *place);
        match what {
            Mentioned::Rig(id) => self.rig(id, at),
            Mentioned::Need(slug) => self.need(slug, at),
            Mentioned::OwnParam(name) => self.own_param(name, at),
            Mentioned::Link {
                text,
                target,
                target_at,
            } => self.link(place, at, text, target, *target_at),
            Mentioned::Set(setting) => self.setting(place, at, setting),
            Mentioned::Hide(id) => self.hide(place, at, id),
            Mentioned::Math(formula) => self.math(place, at, formula),
            Mentioned::Cell { kind, keys } => self.cell(place, at, kind, keys),
        }
    }

    fn rig(&mut self, id: &str, at: At) {
        if self.known_rig.is_none() {
            let known: Vec<&str> = crate::asset::builtin_ids()
                .iter()
                .copied()
                .filter(|id| (self.rigs)(id).is_some())
                .chain([OWN_RIG])
                .collect();
            let message = format!("there is no rig `{id}`");
            self.error(at, message, did_you_mean(id, &known));
        }
    }

    fn need(&mut self, slug: &str, at: At) {
        let before = |number| number < self.lesson.number;
        match find_lesson(&self.set.lessons, slug) {
            Ok(index) => {
                let needed = self.set.lessons.get(index);
                if !needed.is_some_and(|lesson| before(lesson.number)) {
                    let message = format!("`{slug}` does not come before this lesson");
                    self.error(at, message, "name lessons with a smaller number");
                }
            }
            Err(error) => {
                let message = format!("there is no lesson `{slug}`");
                self.error(at, message, error.help);
            }
        }
    }

    fn own_param(&mut self, name: &str, at: At) {
        if self
            .known_rig
            .as_ref()
            .is_some_and(|rig| rig.param(name).is_some())
        {
            let message = format!("the rig has a parameter `{name}` already");
            self.error(at, message, "choose another name");
        }
    }

    /// True when there is such a parameter; says so otherwise. Without a rig
    /// nothing can be said.
    pub(super) fn param(&mut self, place: Place, at: At, name: &str, all: bool) -> bool {
        if self.known_rig.is_none() {
            return false;
        }
        let mut names = self.param_names();
        if all {
            names.push("all");
        }
        if names.contains(&name) {
            return true;
        }
        let help = did_you_mean(name, &names);
        self.error_in(place, at, format!("there is no parameter `{name}`"), help);
        false
    }

    /// A parameter of the lesson itself.
    fn lesson_param(&mut self, place: Place, at: At, name: &str) {
        let own: Vec<&str> = self.lesson.params.iter().map(|p| p.name.as_str()).collect();
        if own.contains(&name) {
            return;
        }
        let help = if own.is_empty() {
            format!("add [params.{name}] to the front matter")
        } else {
            did_you_mean(name, &own)
        };
        let message = format!("the lesson has no parameter `{name}`");
        self.error_in(place, at, message, help);
    }

    fn joint(&mut self, place: Place, at: At, joint: JointIndex) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        let count = rig.skeleton.joints().len();
        if joint.index() >= count {
            self.error_in(
                place,
                at,
                format!("there is no joint {}", joint.0),
                format!("the rig has {count} joints, numbered from 0"),
            );
        }
    }

    pub(super) fn vertex(&mut self, place: Place, at: At, vertex: u32) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        let count = rig.mesh.positions.len();
        if vertex as usize >= count {
            self.error_in(
                place,
                at,
                format!("there is no vertex {vertex}"),
                format!("the rig has {count} vertices, numbered from 0"),
            );
        }
    }

    fn clip(&mut self, place: Place, at: At, name: &ClipName) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        if clip_index(name, rig).is_err() {
            let names: Vec<&str> = rig.clips.iter().map(|clip| clip.name.as_str()).collect();
            let help = if names.is_empty() {
                "the rig has no clips".to_owned()
            } else {
                did_you_mean(&name.to_string(), &names)
            };
            self.error_in(place, at, format!("there is no clip `{name}`"), help);
        }
    }

    fn link(&mut self, place: Place, at: At, text: &str, target: &Target, target_at: At) {
        let unknown = match target {
            Target::Param(name, format) => {
                if self.param(place, target_at, name, true) {
                    self.param_words(place, at, text, name, format);
                }
                None
            }
            Target::Value(expr, format) => {
                self.value_words(place, (at, target_at), text, expr, format);
                None
            }
            Target::Joint(joint) => {
                self.joint(place, target_at, *joint);
                None
            }
            Target::Vertex(vertex) => {
                self.vertex(place, target_at, *vertex);
                None
            }
            Target::Lesson { lesson, step } => unknown_lesson(self.set, lesson, step.as_deref()),
            Target::Term(slug) => unknown_term(self.set, slug),
            // Each setting is a mention of its own.
            Target::Set(_) | Target::Url(_) => None,
        };
        if let Some((message, help)) = unknown {
            self.error_in(place, target_at, message, help);
        }
    }

    pub(super) fn setting(&mut self, place: Place, at: At, setting: &Setting) {
        match setting {
            Setting::Param(name, value) => {
                let meant = self.set_key(name);
                if let (Some(key), Some(_)) = (meant, &self.known_rig)
                    && !self.param_names().contains(&name.as_str())
                {
                    self.error_in(
                        place,
                        at,
                        format!("there is no parameter `{name}`"),
                        format!("write `{key}`"),
                    );
                } else if self.param(place, at, name, true)
                    && !self.lesson.params.iter().any(|param| param.name == *name)
                    && value.abs() > PARAM_LIMIT
                {
                    let message = format!("expected a number from −{PARAM_LIMIT} to {PARAM_LIMIT}");
                    self.error_in(place, at, message, "write a smaller number");
                }
            }
            Setting::Through(Some(joint)) | Setting::Joint(joint) => self.joint(place, at, *joint),
            Setting::Vertex(vertex) => self.vertex(place, at, *vertex),
            Setting::Clip(name) | Setting::FadeTo(name) => self.clip(place, at, name),
            _ => {}
        }
    }

    /// A key of `set` blocks that was probably meant by an unknown parameter.
    fn set_key(&self, name: &str) -> Option<&'static str> {
        let known = self.param_names();
        let near_params = crate::lesson::nearest(name, known.iter().copied());
        let near_keys = crate::lesson::nearest(name, crate::lesson::set_keys());
        near_keys
            .first()
            .and_then(|near| crate::lesson::set_keys().find(|key| key == near))
            .filter(|_| near_params.is_empty())
    }

    fn hide(&mut self, place: Place, at: At, id: &str) {
        let on_stage = |id: &str| {
            let step_stage = match place {
                Place::Step(step) => self.lesson.steps.get(step),
                Place::Intro | Place::Notes | Place::Glossary => None,
            };
            let step_cells = step_stage.into_iter().flat_map(|step| &step.stage);
            let mut cells = self.lesson.stage.iter().chain(step_cells);
            cells.any(|cell| cell.id == id)
        };
        if on_stage(id) {
            return;
        }
        let ids: Vec<&str> = self
            .outline
            .cell_ids
            .iter()
            .map(String::as_str)
            .filter(|id| on_stage(id))
            .collect();
        let broken = self.outline.cell_ids.iter().any(|known| known == id)
            && !self.lesson.findings.is_empty();
        if broken {
            // Its own finding says more.
            return;
        }
        let help = did_you_mean(id, &ids);
        self.error_in(
            place,
            at,
            format!("no cell `{id}` stands on the stage"),
            help,
        );
    }

    fn cell(&mut self, place: Place, at: At, kind: &CellKind, keys: &[(String, At)]) {
        let key_at = |path: &str| keys.iter().find(|(key, _)| key == path).map_or(at, |k| k.1);
        match kind {
            CellKind::Angles(cell) => {
                for (index, name) in cell.params.iter().enumerate() {
                    self.param(place, key_at(&format!("params[{index}]")), name, false);
                }
            }
            CellKind::Weights(cell) => {
                for (index, &vertex) in cell.vertices.iter().enumerate() {
                    self.vertex(place, key_at(&format!("vertices[{index}]")), vertex);
                }
            }
            CellKind::Matrix(cell) => {
                for (index, &matrix) in cell.show.iter().enumerate() {
                    self.matrix(place, key_at(&format!("show[{index}]")), matrix);
                }
            }
            CellKind::Vertex(cell) => {
                if let Some(vertex) = cell.vertex {
                    self.vertex(place, key_at("vertex"), vertex);
                }
            }
            CellKind::Plot(cell) => {
                if self.param(place, key_at("sweep"), &cell.sweep, true) {
                    for (index, line) in cell.lines.iter().enumerate() {
                        let at = key_at(&format!("lines[{index}].expr")).right(1);
                        self.plot_line(place, at, cell, line);
                        for setting in &line.set.0 {
                            self.setting(place, key_at(&format!("lines[{index}]")), setting);
                        }
                    }
                }
            }
            CellKind::Budget(cell) => {
                let limit = cell.limit.as_deref().unwrap_or("vec4s");
                for (key, name) in [("limit", Some(limit)), ("others", cell.others.as_deref())] {
                    if let Some(name) = name {
                        self.lesson_param(place, key_at(key), name);
                    }
                }
            }
            CellKind::Indices(cell) => {
                if let Some(vertex) = cell.vertex {
                    self.vertex(place, key_at("vertex"), vertex);
                }
            }
            CellKind::Stops(cell) => self.stops_cell(place, cell, &key_at),
            CellKind::Timeline(cell) => {
                for (index, name) in cell.clips.iter().enumerate() {
                    let name = ClipName::Name(name.clone());
                    self.clip(place, key_at(&format!("clips[{index}]")), &name);
                }
            }
            CellKind::Check(cell) => self.check_cell(place, cell, &key_at),
            CellKind::Predict(cell) => self.predict_cell(place, cell, &key_at),
            CellKind::Compare(cell) => self.compare_cell(place, cell, &key_at),
            CellKind::Bytes(cell) => {
                if let Some(of) = &cell.of {
                    self.bytes_of(place, key_at("of"), of);
                }
            }
            CellKind::Viewport(_)
            | CellKind::Tree(_)
            | CellKind::Doctor(_)
            | CellKind::Stages(_)
            | CellKind::Histogram(_)
            | CellKind::Texture(_)
            | CellKind::Shader(_)
            | CellKind::Proof(_)
            | CellKind::Errata(_) => {}
        }
    }

    /// What a `bytes` cell shows first must be in the rig's file.
    fn bytes_of(&mut self, place: Place, at: At, of: &str) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        let Some(layout) = rig.origin.as_ref().and_then(FileLayout::of_origin) else {
            let message = "the rig has no file whose bytes could be shown";
            self.error_in(place, at, message, "choose a rig that is read from a file");
            return;
        };
        let attributes = layout.primitives.iter().flat_map(|p| p.attributes.keys());
        let mut known: Vec<&str> = attributes.map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        known.push(BytesCell::INVERSE_BIND);
        if !known.contains(&of) {
            let help = did_you_mean(of, &known);
            self.error_in(place, at, format!("the file has no `{of}`"), help);
        }
    }

    fn matrix(&mut self, place: Place, at: At, matrix: MatrixRef) {
        match matrix {
            MatrixRef::ParentFromJoint(JointRef::Index(joint))
            | MatrixRef::WorldFromJoint(JointRef::Index(joint))
            | MatrixRef::JointFromBind(JointRef::Index(joint))
            | MatrixRef::MeshNodeFromBind(JointRef::Index(joint))
            | MatrixRef::WorldFromBind(JointRef::Index(joint)) => self.joint(place, at, joint),
            MatrixRef::SkinMatrix(VertexRef::Index(vertex)) => self.vertex(place, at, vertex),
            MatrixRef::ParentFromJoint(JointRef::Chosen)
            | MatrixRef::WorldFromJoint(JointRef::Chosen)
            | MatrixRef::JointFromBind(JointRef::Chosen)
            | MatrixRef::WorldFromBind(JointRef::Chosen)
            | MatrixRef::MeshNodeFromBind(JointRef::Chosen)
            | MatrixRef::WorldFromMeshNode
            | MatrixRef::SkinMatrix(VertexRef::Chosen) => {}
        }
    }
}

/// What is wrong with something the glossary names.
pub(super) fn glossary_mention(set: &LessonSet, mention: &Mention) -> Option<(At, String, String)> {
    let (at, (message, help)) = match &mention.what {
        Mentioned::Link {
            target, target_at, ..
        } => {
            let wrong = match target {
                Target::Term(slug) => unknown_term(set, slug)?,
                Target::Lesson { lesson, step } => unknown_lesson(set, lesson, step.as_deref())?,
                Target::Url(_) => return None,
                Target::Param(..)
                | Target::Value(..)
                | Target::Joint(_)
                | Target::Vertex(_)
                | Target::Set(_) => (
                    "the glossary has no rig that this link could name".to_owned(),
                    "link to terms, lessons and the web alone".to_owned(),
                ),
            };
            (*target_at, wrong)
        }
        Mentioned::Math(formula) => {
            let (column, message, help) = super::formulas::math_error(formula)?;
            (mention.at.right(column), (message, help))
        }
        _ => return None,
    };
    Some((at, message, help))
}

fn unknown_term(set: &LessonSet, slug: &str) -> Option<(String, String)> {
    if set.term(slug).is_some() {
        return None;
    }
    let slugs: Vec<&str> = set.glossary.iter().map(|term| term.slug.as_str()).collect();
    Some((
        format!("the glossary has no term `{slug}`"),
        did_you_mean(slug, &slugs),
    ))
}

fn unknown_lesson(set: &LessonSet, lesson: &str, step: Option<&str>) -> Option<(String, String)> {
    let error = match find_lesson(&set.lessons, lesson) {
        Ok(index) => {
            let lesson = set.lessons.get(index)?;
            find_step(lesson, step?).err()?
        }
        Err(error) => error,
    };
    Some((
        format!("there is no {} `{}`", error.what, error.name),
        error.help,
    ))
}
