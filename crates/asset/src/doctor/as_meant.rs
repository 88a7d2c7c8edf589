//! What a file says otherwise than it should, though it is clear what is meant: told,
//! and from there on examined as it is meant.

use serde_json::Value;

use super::catalog as fault;
use super::findings::{Findings, quoted};
use super::schema::leave_out_minus_ones;
use crate::ModelSource;
use crate::gltf_file::json::JsonText;
use crate::gltf_file::{ANIMATION_POINTER, UriTarget, composed, has_bare_percent, point_to_nodes};

/// The text without what does not belong to it.
pub(super) fn text<'a>(bytes: &'a [u8], found: &mut Findings) -> &'a [u8] {
    let JsonText { text, has_mark, has_zeros } = JsonText::of(bytes);
    if has_mark {
        found.add(&fault::BYTE_ORDER_MARK, "").expected("{ first", "EF BB BF before it");
    }
    if has_zeros {
        let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
        let shown = format!("{zeros} zeros at its end");
        found.add(&fault::JSON_PADDED_WITH_ZEROS, "").expected("spaces, if anything", shown);
    }
    text
}

/// The JSON without −1 for none, and with the channels of nodes that are pointers.
pub(super) fn json(root: &mut Value, found: &mut Findings) {
    for at in leave_out_minus_ones(root) {
        found.add(&fault::MINUS_ONE_FOR_NONE, at).expected("no such property, for none", "−1");
    }
    let used = root.get("extensionsUsed").and_then(Value::as_array);
    let is_declared = used.is_some_and(|used| used.iter().any(|name| name == ANIMATION_POINTER));
    for channel in point_to_nodes(root) {
        if !channel.is_of_node {
            found.add(&fault::CHANNEL_POINTS_ELSEWHERE, channel.at).expected(
                "the translation, rotation, scale or weights of a node",
                quoted(&channel.pointer),
            );
        } else if !is_declared {
            let at = format!("{}/extensions/{ANIMATION_POINTER}", channel.at);
            let expected = "its name in /extensionsUsed";
            found
                .add(&fault::UNDECLARED_EXTENSION, at)
                .expected(expected, quoted(ANIMATION_POINTER));
        }
    }
}

/// The name of a file beside the model: how it is written, and whether it is the file’s.
pub(super) fn name(uri: &str, at: &str, source: &ModelSource, found: &mut Findings) {
    let Some(UriTarget::File(path)) = UriTarget::of_file(uri) else {
        return;
    };
    if has_bare_percent(uri) {
        found.add(&fault::URI_WITH_BARE_PERCENT, at).expected("%25 for %", quoted(uri));
    }
    if uri.contains('\\') {
        found.add(&fault::URI_WITH_BACKSLASH, at).expected("/ between folders", quoted(uri));
    }
    let file = source.beside_as(&path).map(|(name, _)| name);
    if let Some(name) = file.filter(|name| *name != path) {
        let how = if composed(name) == composed(&path) {
            "whose letters are composed otherwise (ö as one character, or as o and two dots)"
        } else {
            "with other capitals"
        };
        found
            .add(&fault::FILE_NAME_DIFFERS, at)
            .expected(quoted(&path), format_args!("{}, {how}", quoted(name)));
    }
}
