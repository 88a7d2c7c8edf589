//! Actions of a reader on a page, for tests.

#![forbid(unsafe_code)]

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

/// Actions of a reader, after each of which the page runs until nothing changes. An element
/// must be the only one that matches.
pub trait ReaderActions {
    /// Clicks the element with this label.
    fn click_label(&mut self, label: &str);

    /// Clicks the element whose label contains this text.
    fn click_label_containing(&mut self, text: &str);

    /// Clicks the element with this role and label.
    fn click_role(&mut self, role: Role, label: &str);

    fn press(&mut self, key: Key);

    fn press_with(&mut self, modifiers: Modifiers, key: Key);

    /// Replaces the whole text of the field with this label.
    fn replace_text(&mut self, label: &str, text: &str);

    /// Returns the labels of all elements of a role, in the order of the page.
    fn labels_of(&self, role: Role) -> Vec<String>;
}

impl<State> ReaderActions for Harness<'_, State> {
    fn click_label(&mut self, label: &str) {
        self.get_by_label(label).click();
        self.run();
    }

    fn click_label_containing(&mut self, text: &str) {
        self.get_by_label_contains(text).click();
        self.run();
    }

    fn click_role(&mut self, role: Role, label: &str) {
        self.get_by_role_and_label(role, label).click();
        self.run();
    }

    fn press(&mut self, key: Key) {
        self.key_press(key);
        self.run();
    }

    fn press_with(&mut self, modifiers: Modifiers, key: Key) {
        self.key_press_modifiers(modifiers, key);
        self.run();
    }

    fn replace_text(&mut self, label: &str, text: &str) {
        self.get_by_label(label).focus();
        self.run();
        self.press_with(Modifiers::COMMAND, Key::A);
        self.get_by_label(label).type_text(text);
        self.run();
    }

    fn labels_of(&self, role: Role) -> Vec<String> {
        self.query_all_by_role(role).filter_map(|node| node.accesskit_node().label()).collect()
    }
}
