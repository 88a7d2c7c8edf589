//! Accessibility settings of the browser, from its media queries, and the size of text, from the
//! font size `medium`.

use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;
use web_sys::Window;

use super::web_document::Listener;
use crate::app::SystemSettings;

const LESS_MOTION_QUERY: &str = "(prefers-reduced-motion: reduce)";
const MORE_CONTRAST_QUERY: &str = "(prefers-contrast: more), (forced-colors: active)";
/// Default size of medium text, in pixels.
const DEFAULT_MEDIUM_PX: f32 = 16.0;

/// Receives the settings once after the start, and whenever they change.
pub(super) struct SystemSettingsEvents {
    received: Receiver<SystemSettings>,
    _listeners: Vec<Listener>,
}

impl SystemSettingsEvents {
    /// Without a window, no settings are received.
    pub(super) fn listen(ctx: &Context) -> Self {
        let (sender, received) = channel();
        let mut listeners = Vec::new();
        if let Some(window) = web_sys::window() {
            for query in [LESS_MOTION_QUERY, MORE_CONTRAST_QUERY] {
                if let Ok(Some(list)) = window.match_media(query) {
                    let ctx = ctx.clone();
                    let sender = sender.clone();
                    let window = window.clone();
                    listeners.push(Listener::new(&list, "change", move |_| {
                        let _ = sender.send(current_settings(&window));
                        ctx.request_repaint();
                    }));
                }
            }
            let _ = sender.send(current_settings(&window));
            ctx.request_repaint();
        }
        Self { received, _listeners: listeners }
    }

    /// Returns the latest settings since the last call. Returns `None` if none were received.
    pub(super) fn last(&self) -> Option<SystemSettings> {
        self.received.try_iter().last()
    }
}

fn current_settings(window: &Window) -> SystemSettings {
    SystemSettings {
        less_motion: matches_query(window, LESS_MOTION_QUERY),
        text_scale: medium_text_px(window)
            .map_or(1.0, |size_px| (size_px / DEFAULT_MEDIUM_PX).clamp(0.5, 3.0)),
        more_contrast: matches_query(window, MORE_CONTRAST_QUERY),
        dark: None,
    }
}

fn matches_query(window: &Window, query: &str) -> bool {
    let list = window.match_media(query).ok().flatten();
    list.is_some_and(|list| list.matches())
}

/// Measures medium text, which does not depend on the styles of the page.
fn medium_text_px(window: &Window) -> Option<f32> {
    let document = window.document()?;
    let sample = document.create_element("span").ok()?;
    let style = "font-size: medium; position: absolute; visibility: hidden";
    sample.set_attribute("style", style).ok()?;
    document.body()?.append_child(&sample).ok()?;
    let style = window.get_computed_style(&sample).ok().flatten();
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    sample.remove();
    size?.strip_suffix("px")?.parse().ok()
}
