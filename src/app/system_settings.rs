//! Accessibility settings of the system or the browser: less motion, larger text, more contrast,
//! and a dark theme.

use std::sync::mpsc::Receiver;

use eframe::egui::Context;

#[cfg(target_arch = "wasm32")]
use super::web_document::Listener;

/// Settings of the desktop or the browser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemSettings {
    /// Whether animations are off.
    pub less_motion: bool,
    /// Size of text relative to the normal size.
    pub text_scale: f32,
    /// Whether text and lines have more contrast.
    pub more_contrast: bool,
    /// Whether the theme is dark. `None` if only the window reports it.
    pub dark: Option<bool>,
}

impl Default for SystemSettings {
    fn default() -> Self {
        Self { less_motion: false, text_scale: 1.0, more_contrast: false, dark: None }
    }
}

/// Receives the settings once after the start and, in a browser, whenever they change.
pub(super) struct SystemSettingsEvents {
    received: Receiver<SystemSettings>,
    #[cfg(target_arch = "wasm32")]
    _listeners: Vec<Listener>,
}

impl SystemSettingsEvents {
    pub(super) fn listen(ctx: &Context) -> Self {
        #[cfg(target_arch = "wasm32")]
        return browser::listen(ctx);
        #[cfg(not(target_arch = "wasm32"))]
        desktop::listen(ctx)
    }

    /// Returns the latest settings since the last call. Returns `None` if none were received.
    pub(super) fn last(&self) -> Option<SystemSettings> {
        self.received.try_iter().last()
    }
}

/// Reads the settings from media queries of the browser, and the size of text from the font size
/// `medium`.
#[cfg(target_arch = "wasm32")]
mod browser {
    use std::sync::mpsc::channel;

    use web_sys::Window;

    use super::{Context, Listener, SystemSettings, SystemSettingsEvents};

    const LESS_MOTION_QUERY: &str = "(prefers-reduced-motion: reduce)";
    const MORE_CONTRAST_QUERY: &str = "(prefers-contrast: more), (forced-colors: active)";
    /// Default size of medium text, in pixels.
    const DEFAULT_MEDIUM_PX: f32 = 16.0;

    /// Without a window, no settings are received.
    pub(super) fn listen(ctx: &Context) -> SystemSettingsEvents {
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
        SystemSettingsEvents { received, _listeners: listeners }
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
}

/// Reads the settings of GNOME, and of desktops that share them, with the program `gsettings`.
/// Returns the defaults if it is missing.
#[cfg(not(target_arch = "wasm32"))]
mod desktop {
    use std::process::{Command, Stdio};
    use std::sync::mpsc::channel;

    use super::{Context, SystemSettings, SystemSettingsEvents};

    const INTERFACE_SCHEMA: &str = "org.gnome.desktop.interface";
    const ACCESSIBILITY_SCHEMA: &str = "org.gnome.desktop.a11y.interface";

    /// Reads the settings once, on a thread.
    pub(super) fn listen(ctx: &Context) -> SystemSettingsEvents {
        let (sender, received) = channel();
        if cfg!(target_os = "linux") {
            let ctx = ctx.clone();
            std::thread::spawn(move || {
                let values = DesktopValues {
                    animations: setting_value(INTERFACE_SCHEMA, "enable-animations"),
                    text_scale: setting_value(INTERFACE_SCHEMA, "text-scaling-factor"),
                    high_contrast: setting_value(ACCESSIBILITY_SCHEMA, "high-contrast"),
                    color_scheme: setting_value(INTERFACE_SCHEMA, "color-scheme"),
                };
                // Sending fails if the window is already closed.
                if sender.send(values.parse()).is_ok() {
                    ctx.request_repaint();
                }
            });
        }
        SystemSettingsEvents { received }
    }

    fn setting_value(schema: &str, key: &str) -> Option<String> {
        let output = Command::new("gsettings")
            .args(["get", schema, key])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    }

    /// Output of `gsettings` for each setting.
    struct DesktopValues {
        animations: Option<String>,
        text_scale: Option<String>,
        high_contrast: Option<String>,
        color_scheme: Option<String>,
    }

    impl DesktopValues {
        /// Replaces missing and invalid values by the defaults.
        fn parse(&self) -> SystemSettings {
            let animations = self.animations.as_deref().map(str::trim);
            let high_contrast = self.high_contrast.as_deref().map(str::trim);
            let color_scheme = self.color_scheme.as_deref().map(str::trim);
            let text_scale = self.text_scale.as_ref().and_then(|text| text.trim().parse().ok());
            SystemSettings {
                less_motion: animations == Some("false"),
                text_scale: text_scale.filter(|scale| (0.5..=3.0).contains(scale)).unwrap_or(1.0),
                more_contrast: high_contrast == Some("true"),
                dark: color_scheme.map(|scheme| scheme == "'prefer-dark'"),
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn parse_values(values: [Option<&str>; 4]) -> SystemSettings {
            let [animations, text_scale, high_contrast, color_scheme] =
                values.map(|value| value.map(str::to_owned));
            DesktopValues { animations, text_scale, high_contrast, color_scheme }.parse()
        }

        #[test]
        fn gsettings_output_is_parsed() {
            let dark = Some("'prefer-dark'\n");
            let settings = parse_values([Some("false\n"), Some("1.25\n"), Some("true\n"), dark]);
            assert_eq!((settings.less_motion, settings.text_scale), (true, 1.25));
            assert!(settings.more_contrast);
            assert_eq!(settings.dark, Some(true));
            let default = SystemSettings::default();
            let usual = [Some("true\n"), Some("1.0\n"), Some("false\n"), None];
            assert_eq!(parse_values(usual), default);
            assert_eq!(parse_values([None; 4]), default);
            assert_eq!(parse_values([Some("?"), Some("1e9"), Some("?"), None]), default);
            let light = parse_values([None, None, None, Some("'default'\n")]);
            assert_eq!(light.dark, Some(false));
        }
    }
}
