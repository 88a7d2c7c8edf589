//! Keys to commands.

use eframe::egui::{Context, Key, Modifiers};

use crate::notebook::{Command, Shortcut};

/// The commands whose keys were pressed in this frame; their key presses are
/// taken from the input.
///
/// Arrow keys and letters belong to the control that has the focus, if any.
pub(super) fn pressed(ctx: &Context) -> Vec<Command> {
    let focused = ctx.memory(|memory| memory.focused()).is_some();
    let mut commands = Vec::new();
    for command in Command::ALL {
        for shortcut in command.shortcuts() {
            let plain = !shortcut.command
                && !shortcut.key.starts_with('F')
                && !matches!(shortcut.key, "PageUp" | "PageDown" | "Escape");
            if focused && plain {
                continue;
            }
            if consume(ctx, *shortcut) {
                commands.push(command);
            }
        }
    }
    commands
}

fn consume(ctx: &Context, shortcut: Shortcut) -> bool {
    let Some(key) = Key::from_name(shortcut.key) else {
        return false;
    };
    let modifiers = Modifiers {
        command: shortcut.command,
        shift: shortcut.shift,
        ..Modifiers::NONE
    };
    ctx.input_mut(|input| input.consume_key(modifiers, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_names_a_key_and_no_two_commands_share_one() {
        let mut seen = std::collections::HashMap::new();
        for command in Command::ALL {
            for shortcut in command.shortcuts() {
                assert!(Key::from_name(shortcut.key).is_some(), "{shortcut:?}");
                assert_eq!(seen.insert(*shortcut, command), None, "{shortcut:?}");
            }
        }
    }
}
