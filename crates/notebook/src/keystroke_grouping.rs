//! Which keystrokes are one step of undo: those that go on where the last one
//! ended, until the line ends, the caret jumps or something else is changed.

use super::{Document, Edit};

/// Letters that arrive with one keystroke, at most: a tab is four spaces.
const KEYSTROKE: usize = 8;

/// The run of keystrokes that may go on.
#[derive(Debug, Default)]
pub(super) struct OpenKeystrokes(Option<KeystrokeRun>);

#[derive(Debug)]
struct KeystrokeRun {
    /// Which text: the kind of a shader, or the name of a cell.
    of: String,
    /// Byte in the text at which the next keystroke must be; `None`: not known,
    /// because the text before the first was not the reader's.
    at: Option<usize>,
    /// Letters are added, not taken away.
    adds: bool,
    gesture: u64,
}

impl OpenKeystrokes {
    /// The gesture that an edit belongs to, in the place of the key press it
    /// came with.
    pub(super) fn gesture(&mut self, edit: &Edit, document: &Document, gesture: u64) -> u64 {
        let Some((of, before, after)) = typed(edit, document) else {
            self.stop();
            return gesture;
        };
        let run = self.0.take().filter(|run| run.of == of);
        let stroke = before.and_then(|before| {
            let at = run.as_ref().and_then(|run| run.at);
            stroke(before, after, at)
        });
        let goes_on = run.filter(|run| {
            stroke.as_ref().is_some_and(|stroke| {
                stroke.adds == run.adds && (run.at.is_none() || run.at == Some(stroke.from))
            })
        });
        let gesture = goes_on.map_or(gesture, |run| run.gesture);
        self.0 = match stroke {
            Some(stroke) => {
                Some(KeystrokeRun { of, at: Some(stroke.to), adds: stroke.adds, gesture })
            }
            None => before.is_none().then_some(KeystrokeRun { of, at: None, adds: true, gesture }),
        };
        gesture
    }

    /// Whatever comes next is a step of its own.
    pub(super) fn stop(&mut self) {
        self.0 = None;
    }
}

/// What was typed into: which text, the reader's before, and after.
fn typed<'a>(edit: &'a Edit, document: &'a Document) -> Option<(String, Option<&'a str>, &'a str)> {
    match edit {
        Edit::Shader { kind, text: Some(after), typed: true } => {
            let before = document.state.shaders.get(&kind.key());
            Some((kind.key(), before.map(String::as_str), after))
        }
        Edit::Text { cell, text: Some(after), typed: true } => {
            let before = document.state.texts.get(cell);
            Some((cell.clone(), before.map(|before| &*before.text), after))
        }
        _ => None,
    }
}

/// One keystroke within a line.
struct Stroke {
    /// The caret before and after, in bytes.
    from: usize,
    to: usize,
    adds: bool,
}

/// What changed, if a keystroke did it. Of places that give the same text, the
/// one that goes on from `at`.
fn stroke(before: &str, after: &str, at: Option<usize>) -> Option<Stroke> {
    let adds = after.len() > before.len();
    let (long, short) = if adds { (after, before) } else { (before, after) };
    let count = long.len() - short.len();
    if count == 0 || count > KEYSTROKE {
        return None;
    }
    let fits = |start: usize| {
        start + count <= long.len()
            && long.as_bytes()[..start] == short.as_bytes()[..start]
            && long.as_bytes()[start + count..] == short.as_bytes()[start..]
    };
    let going_on = at.and_then(|at| if adds { Some(at) } else { at.checked_sub(count) });
    let common = long.bytes().zip(short.bytes()).take_while(|(a, b)| a == b).count();
    let start =
        going_on.into_iter().chain([common]).find(|&start| start <= short.len() && fits(start))?;
    let changed = &long.as_bytes()[start..start + count];
    if changed.contains(&b'\n') {
        return None;
    }
    let (from, to) = if adds { (start, start + count) } else { (start + count, start) };
    Some(Stroke { from, to, adds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glsl::{ShaderBlending, ShaderKind};

    const KIND: ShaderKind = ShaderKind {
        transport: bindpose_lesson::Transport::TexelFetch,
        blending: ShaderBlending::Linear,
        normals: bindpose_skin::NormalRule::InverseTranspose,
        at_edges: false,
    };

    /// The gestures of texts that follow each other, one key press each.
    fn gestures(texts: &[&str]) -> Vec<u64> {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let edit = Edit::Shader { kind: KIND, text: Some((*text).to_owned()), typed: true };
            gestures.push(typing.gesture(&edit, &document, index as u64));
            document.state.shaders.insert(KIND.key(), (*text).to_owned());
        }
        gestures
    }

    #[test]
    fn letters_that_follow_each_other_are_one_step() {
        assert_eq!(gestures(&["ab", "abc", "abcc", "abccd"]), [0, 0, 0, 0]);
        assert_eq!(gestures(&["a;", "ab;", "abb;", "abb\n;", "abb\nc;"]), [0, 0, 0, 3, 4]);
    }

    #[test]
    fn a_jump_a_turn_to_deleting_and_a_paste_begin_a_step() {
        assert_eq!(gestures(&["a b", "ax b", "ax by", "ax byz"]), [0, 0, 2, 2]);
        assert_eq!(gestures(&["abc", "abcd", "abc", "ab", "abx"]), [0, 0, 2, 2, 4]);
        assert_eq!(gestures(&["a", "a many words more", "a many words more."]), [0, 1, 2]);
    }

    #[test]
    fn anything_else_ends_a_run() {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let edit =
            |text: &str| Edit::Shader { kind: KIND, text: Some(text.to_owned()), typed: true };
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.gesture(&edit("ab"), &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "ab".to_owned());
        assert_eq!(typing.gesture(&Edit::ResetStep, &document, 2), 2);
        assert_eq!(typing.gesture(&edit("abc"), &document, 3), 3);

        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut button = edit("a");
        if let Edit::Shader { typed, .. } = &mut button {
            *typed = false;
        }
        assert_eq!(typing.gesture(&button, &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.gesture(&edit("ab"), &document, 2), 2);
    }

    #[test]
    fn letters_in_the_text_of_one_cell_are_one_step_and_another_cell_begins_anew() {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        let strokes = [("a", "x"), ("a", "xy"), ("b", "xyz"), ("b", "xyzw"), ("a", "xyz")];
        for (index, (cell, text)) in strokes.into_iter().enumerate() {
            let edit =
                Edit::Text { cell: cell.to_owned(), text: Some(text.to_owned()), typed: true };
            gestures.push(typing.gesture(&edit, &document, index as u64));
            let text = crate::CellText { text: text.into(), program: None };
            document.state.texts.insert(cell.to_owned(), text);
        }
        assert_eq!(gestures, [0, 0, 2, 2, 4]);
    }
}
