//! A picture with a rig of its own, beside that of the step: the page as it would be
//! there, and what the pointer finds, put into the page's terms by the joints' names.

use std::sync::Arc;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::{Retarget, Setting, ViewportCell};
use bindpose_notebook::{
    Derived, Document, Edit, Entity, Linked, OWN_RIG, joint_index, lesson_rig, on_other_rig,
    same_joint,
};
use eframe::egui::{FontId, Pos2, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::PageContext;
use crate::theme::SMALL;

/// The page on the other rig, kept as long as nothing that it follows from changes.
#[derive(Default)]
struct OtherRigPage(Option<OtherRigShown>);

struct OtherRigShown {
    /// What it follows from.
    page: Document,
    params_of_page: Vec<(String, f64)>,
    page_rig: Arc<Rig>,
    rig: Arc<Rig>,
    retarget: Retarget,
    /// What is shown.
    document: Document,
    derived: Derived,
}

impl OtherRigShown {
    fn new(rig: Arc<Rig>, retarget: Retarget, page: &PageContext<'_>) -> Self {
        let (document, derived) =
            on_other_rig((page.document, page.derived), page.lesson, &rig, retarget);
        Self {
            page: page.document.clone(),
            params_of_page: page.derived.params.clone(),
            page_rig: Arc::clone(&page.derived.rig),
            rig,
            retarget,
            document,
            derived,
        }
    }

    fn is_of(&self, rig: &Arc<Rig>, retarget: Retarget, page: &PageContext<'_>) -> bool {
        Arc::ptr_eq(&self.rig, rig)
            && self.retarget == retarget
            && Arc::ptr_eq(&self.page_rig, &page.derived.rig)
            && self.params_of_page == page.derived.params
            && self.page == *page.document
            && !self.derived.awaits_weights()
    }
}

/// Shows the picture of `rig_id`, with `picture`.
pub(super) fn ui(
    ui: &mut Ui,
    (cell, rig_id): (&ViewportCell, &str),
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
    picture: impl FnOnce(&mut Ui, &mut PageContext<'_>),
) {
    let known = Some(rig_id).filter(|rig| *rig != OWN_RIG);
    let Some(rig) = known.and_then(|rig| lesson_rig(page.set, rig, &builtin)) else {
        let name = rig_id.rsplit('/').next().unwrap_or(rig_id);
        let missing = format!("There is no rig “{name}” to show here.");
        return without_rig(ui, &missing, page, height);
    };
    page.with_state(id, |kept: &mut OtherRigPage, page| {
        let retarget = cell.retarget.unwrap_or_default();
        if kept.0.as_ref().is_none_or(|shown| !shown.is_of(&rig, retarget, page)) {
            kept.0 = Some(OtherRigShown::new(Arc::clone(&rig), retarget, page));
        }
        if let Some(shown) = &kept.0 {
            let there = (&shown.document, &shown.derived);
            on_other(ui, there, page, picture);
        }
    });
}

/// The picture sees a page on the other rig; what is lit and chosen there is so on the
/// page where that has a joint of the same name.
pub(in crate::cells) fn on_other<U>(
    ui: U,
    (document, derived): (&Document, &Derived),
    page: &mut PageContext<'_>,
    picture: impl FnOnce(U, &mut PageContext<'_>),
) {
    let (here, there) = (&page.derived.rig, &derived.rig);
    let to_shown = |joint| same_joint(joint, here, there);
    let to_page = |joint| same_joint(joint, there, here);
    let lit = page.linked.hovered().and_then(joint_of).and_then(to_shown);
    let mut linked = Linked::lit(lit.map(Entity::Joint));
    let mut edits = Vec::new();
    let mut other =
        PageContext { linked: &mut linked, edits: &mut edits, ..page.with(document, derived) };
    picture(ui, &mut other);
    if let Some(joint) = linked.next().and_then(joint_of).and_then(to_page) {
        page.linked.hover(Entity::Joint(joint));
    }
    for edit in edits {
        let Edit::Settings(settings) = edit else {
            continue;
        };
        let settings = settings.into_iter().filter_map(|setting| match setting {
            Setting::Joint(joint) => {
                let joint = joint_index(&joint, there).ok();
                let joint = joint.and_then(to_page)?;
                Some(Setting::Joint(joint.into()))
            }
            // Vertices have numbers alone, and those mean nothing elsewhere.
            Setting::Vertex(_) => None,
            other => Some(other),
        });
        let settings: Vec<Setting> = settings.collect();
        if !settings.is_empty() {
            page.edits.push(Edit::Settings(settings));
        }
    }
}

fn joint_of(entity: Entity) -> Option<bindpose_skin::JointIndex> {
    match entity {
        Entity::Joint(joint) => Some(joint),
        _ => None,
    }
}

fn without_rig(ui: &mut Ui, missing: &str, page: &PageContext<'_>, height: f32) {
    let size = vec2(ui.available_width(), height).floor();
    let (rect, response): (Rect, _) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, missing));
    no_picture_ui(ui, rect, page, missing);
}

// In the place of a picture that cannot be drawn: why.

pub(super) fn no_picture_ui(ui: &Ui, rect: Rect, page: &PageContext<'_>, missing: &str) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 8.0, page.theme.panel);
    let galley = painter.layout(
        missing.to_owned(),
        FontId::proportional(SMALL),
        page.theme.quiet,
        (rect.width() - 32.0).max(40.0),
    );
    let at = Pos2::new(rect.left() + 16.0, rect.bottom() - 16.0 - galley.size().y);
    painter.galley(at, galley, page.theme.quiet);
}
