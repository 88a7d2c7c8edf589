//! Which model B is: one that a program would write of the page's, one that comes with
//! the notebook, or the reader's own.

use std::collections::BTreeSet;

use bindpose_asset::builtin_ids;
use bindpose_lesson::{ModelB, Rewriting, Setting};
use bindpose_notebook::Navigation;
use eframe::egui::{ComboBox, Ui, vec2};

use crate::PageContext;
use crate::model_b::name_of;
use crate::widgets::Tip as _;
use crate::widgets::{combo, option_button, small_button};

pub(super) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let now = page.document.state.model_b.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(page.theme.label("B is"));
        let list = ComboBox::from_id_salt((id, "model b")).width(200.0);
        let kind = match &now {
            ModelB::Written(_) => ModelB::default(),
            other => other.clone(),
        };
        let chosen = combo(ui, list, "model B", &kind, offered(page), |model| match model {
            ModelB::Written(_) => "this model, written anew".to_owned(),
            other => name_of(other, page),
        });
        if let Some(chosen) = chosen.filter(|chosen| *chosen != kind) {
            page.choose(Setting::ModelB(chosen));
        }
        let open = small_button("Open model B…");
        let tip = "Another file of the same model; on this page, what is dropped is model B";
        if ui.add(open).tip(tip).clicked() {
            page.navigation.push(Navigation::OpenModelB);
        }
    });
    if let ModelB::Written(changes) = now {
        changed(ui, &changes, page);
    }
}

/// What can be chosen without a file dialog.
fn offered(page: &PageContext<'_>) -> Vec<ModelB> {
    let models = page.models_b;
    let opened = models.opened.map(|_| ModelB::Opened);
    let before = models.before.map(|_| ModelB::Before);
    let built_in = builtin_ids().iter();
    let built_in = built_in.map(|&id| ModelB::BuiltIn(id.to_owned()));
    let own = opened.into_iter().chain(before);
    std::iter::once(ModelB::default()).chain(own).chain(built_in).collect()
}

/// What the program that writes it does.
fn changed(ui: &mut Ui, changes: &BTreeSet<Rewriting>, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for one in Rewriting::ALL {
            let on = changes.contains(&one);
            let tip = format!("Write model B {}, or not", tip_of(one));
            if ui.add(option_button(on, one.label())).tip(tip).clicked() {
                let mut next = changes.clone();
                if !next.remove(&one) {
                    next.insert(one);
                }
                page.choose(Setting::ModelB(ModelB::Written(next)));
            }
        }
    });
}

fn tip_of(one: Rewriting) -> &'static str {
    match one {
        Rewriting::Centimetres => "with all lengths times 100",
        Rewriting::ZUp => "with z where y was up",
        Rewriting::TwoInfluences => "with the two strongest joints of each vertex",
        Rewriting::MovedMesh => "with its vertices stored in another place",
        Rewriting::NoEndJoints => "without the joints at the ends of chains",
        Rewriting::OtherNames => "with other names of its joints",
    }
}
