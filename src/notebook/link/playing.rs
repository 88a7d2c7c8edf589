//! What plays, in a link.

use super::super::playback::clip_index;
use crate::asset::Rig;
use crate::lesson::{Setting, parse_settings};
use crate::notebook::{Document, Playback, apply_setting, clip_name};

/// What differs from how the step begins.
pub(super) fn write(
    now: &Playback,
    begin: &Playback,
    rig: &Rig,
    put: &mut impl FnMut(&str, String),
) {
    if now.clip != begin.clip {
        put("clip", clip_name(now.clip, rig).to_string());
    }
    if now.fade_to != begin.fade_to {
        put("fade-to", clip_name(now.fade_to, rig).to_string());
    }
    if now.between != begin.between {
        put("between", now.between.key().to_owned());
    }
    if now.repeats != begin.repeats {
        put("loop", if now.repeats { "on" } else { "off" }.to_owned());
    }
}

/// In the words of `set:` links; answers with what was expected.
pub(super) fn read(
    name: &str,
    value: &str,
    document: &mut Document,
    rig: &Rig,
) -> Result<(), String> {
    for setting in parse_settings(&format!("{name}={value}"))? {
        if let Setting::Clip(clip) | Setting::FadeTo(clip) = &setting {
            clip_index(clip, rig).map_err(|refused| refused.0)?;
        }
        apply_setting(document, &setting, Some(rig));
    }
    Ok(())
}
