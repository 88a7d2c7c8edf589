//! The mirror, on trees of the real pages.

use std::sync::{Arc, Mutex};

use eframe::egui::{Context, FullOutput, Plugin, accesskit::TreeUpdate};

use super::*;
use crate::app::testing::{self, Page};
use crate::notebook::Preferences;

/// Keeps the last tree.
struct Recorder(Arc<Mutex<Option<TreeUpdate>>>);

impl Plugin for Recorder {
    fn debug_name(&self) -> &'static str {
        "recorder of trees"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        if let Some(tree) = &output.platform_output.accesskit_update {
            *self.0.lock().expect("one thread") = Some(tree.clone());
        }
    }
}

#[test]
fn dump() {
    let mut harness = testing::page_of([1280.0, 800.0], Preferences::default());
    let tree = Arc::new(Mutex::new(None));
    harness.ctx.add_plugin(Recorder(Arc::clone(&tree)));
    for link in std::env::var("DUMP").unwrap().split(' ') {
        harness.state_mut().shell().follow(link).unwrap();
        harness.run();
        let tree = tree.lock().unwrap().clone().unwrap();
        if std::env::var("RAW").is_ok() {
            fn raw(tree: &TreeUpdate, id: eframe::egui::accesskit::NodeId, depth: usize) {
                let node = &tree.nodes.iter().find(|(other, _)| *other == id).unwrap().1;
                println!(
                    "{}{:?} {:?} {:?} {:?} {}",
                    " ".repeat(depth),
                    node.role(),
                    node.label(),
                    node.value(),
                    node.labelled_by().len(),
                    node.supports_action(eframe::egui::accesskit::Action::Click)
                );
                for child in node.children() {
                    raw(tree, *child, depth + 1);
                }
            }
            raw(&tree, tree.tree.as_ref().unwrap().root, 0);
        } else {
            let page = MirroredPage::of(&tree, 1.0).unwrap();
            println!("{} nodes", tree.nodes.len());
            println!(
                "{}",
                html(&page.root)
                    .replace("><", ">\n<")
                    .replace("tabindex=\"-1\"", "")
            );
        }
    }
}
