//! What cells keep from frame to frame: each cell any type of its own. May be
//! lost without harm; never saved, never undone.

use std::any::{Any, TypeId};
use std::collections::HashMap;

/// By slug of the lesson, id of the cell and type.
#[derive(Debug, Default)]
pub struct CellStates(HashMap<(String, String, TypeId), Box<dyn Any>>);

impl CellStates {
    /// What a cell of a lesson keeps of this type; the default at first.
    pub fn get<T: Default + 'static>(&mut self, lesson: &str, cell: &str) -> &mut T {
        let key = (lesson.to_owned(), cell.to_owned(), TypeId::of::<T>());
        let state = self.0.entry(key).or_insert_with(|| Box::<T>::default());
        match state.downcast_mut() {
            Some(state) => state,
            None => unreachable!("the key has its type"),
        }
    }

    /// Forgets what the cells of some lessons keep, by slug.
    pub fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(lesson, ..), _| !is_forgotten(lesson));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_of_each_lesson_keeps_its_own_of_every_type() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = true;
        *states.get("arm", "tree") = 3_u32;
        assert!(*states.get::<bool>("arm", "tree"));
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert!(!*states.get::<bool>("arm", "tree-2"));
        assert!(!*states.get::<bool>("own", "tree"));
    }

    #[test]
    fn a_lesson_is_forgotten_alone() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = 3_u32;
        *states.get("own", "tree") = 4_u32;
        states.forget_lessons(|slug| slug == "own");
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert_eq!(states.get::<u32>("own", "tree"), &0);
    }
}
