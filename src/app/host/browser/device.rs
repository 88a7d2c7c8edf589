//! Adapts the notebook to the device: keys shared with the browser, touch, an on-screen
//! keyboard, a notch, and full screen.

use std::cell::Cell;
use std::rc::Rc;

use bindpose_kit::touch;
use bindpose_kit::widgets::take_typed_number;
use eframe::egui::epaint::MarginF32;
use eframe::egui::{Context, Modifiers, RawInput, SafeAreaInsets};
use eframe::wasm_bindgen::{JsCast as _, JsValue};
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, Event, EventTarget, HtmlCanvasElement, HtmlInputElement, KeyboardEvent, PointerEvent,
    Window,
};

use super::web_document::Listener;
use crate::app::browser_keys::{BrowserKeyOwner, browser_key_owner, parse_key};
use crate::app::shell::Shell;

/// The device that the canvas is shown on.
pub(super) struct BrowserDevice {
    window: Window,
    canvas: HtmlCanvasElement,
    _listeners: Vec<Listener>,
    /// The last press or release that no frame has received yet.
    last_click_event: Rc<Cell<Option<ClickEvent>>>,
    /// Delay between the last press and its frame.
    press_delay_secs: f64,
    /// Delay between the last release and its frame.
    release_delay_secs: f64,
    pixel_ratio: Option<PixelRatio>,
    /// Whether egui still has to be notified that the screen can be touched.
    needs_touch_announcement: bool,
    /// Whether the notebook was presenting in the last frame.
    was_presenting: bool,
    /// Whether the page filled the screen in the last frame.
    was_full_screen: bool,
    /// Kind of on-screen keyboard that was requested last.
    input_mode: &'static str,
}

/// A press or release of a finger or button.
#[derive(Clone, Copy)]
struct ClickEvent {
    is_release: bool,
    /// Time on the browser's clock.
    at_secs: f64,
}

/// Pixels of the screen per CSS pixel.
struct PixelRatio {
    ratio: f64,
    /// Requests a frame when the ratio changes.
    _listener: Listener,
}

impl BrowserDevice {
    /// Listens to events around the canvas.
    ///
    /// # Errors
    ///
    /// The error of the browser if it lacks a required feature.
    pub(super) fn attach(canvas: HtmlCanvasElement, ctx: &Context) -> Result<Self, JsValue> {
        let window = web_sys::window().ok_or("no window")?;
        let coarse_pointer = window.match_media("(pointer: coarse)")?;
        let has_touch = coarse_pointer.is_some_and(|query| query.matches());
        let mut listeners = Vec::new();
        let is_mac = ctx.os().is_mac();
        for event_name in ["keydown", "keyup"] {
            let canvas = canvas.clone();
            listeners.push(Listener::new(&window, event_name, move |event| {
                share_key(&canvas, &event, is_mac);
            }));
        }
        let last_click_event = Rc::new(Cell::new(None));
        for (event_name, is_release) in [("pointerdown", false), ("pointerup", true)] {
            let last_click_event = Rc::clone(&last_click_event);
            listeners.push(Listener::new(&window, event_name, move |event| {
                if !stop_second_finger(&event) {
                    let at_secs = event.time_stamp() / 1000.0;
                    last_click_event.set(Some(ClickEvent { is_release, at_secs }));
                }
            }));
        }
        listeners.push(repaint_on(&window, "fullscreenchange", ctx));
        if let Some(viewport) = window.visual_viewport() {
            listeners.push(repaint_on(&viewport, "resize", ctx));
            listeners.push(repaint_on(&viewport, "scroll", ctx));
        }
        Ok(Self {
            window,
            canvas,
            _listeners: listeners,
            last_click_event,
            press_delay_secs: 0.0,
            release_delay_secs: 0.0,
            pixel_ratio: None,
            needs_touch_announcement: has_touch,
            was_presenting: false,
            was_full_screen: false,
            input_mode: "text",
        })
    }

    /// Resizes the canvas to the pixels of the screen. Browsers report the size of a canvas in
    /// screen pixels when it changes, but a wrong one while they emulate a screen with finer
    /// pixels.
    pub(super) fn match_screen_pixels(&mut self, ctx: &Context) {
        let rect = self.canvas.get_bounding_client_rect();
        let ratio = self.window.device_pixel_ratio();
        self.listen_for_pixel_ratio(ctx, ratio);
        let wanted = [rect.width() * ratio, rect.height() * ratio];
        let current = [self.canvas.width(), self.canvas.height()].map(f64::from);
        let differs = (0..2).any(|side| (wanted[side] - current[side]).abs() > 2.0);
        if differs && wanted.iter().all(|side| *side >= 1.0) {
            self.canvas.set_width(wanted[0].round() as u32);
            self.canvas.set_height(wanted[1].round() as u32);
            ctx.request_repaint();
        }
    }

    /// Requests a frame when the pixel ratio changes. If the page moves to a screen with another
    /// ratio, eframe resizes the canvas, which empties it, but requests no frame.
    fn listen_for_pixel_ratio(&mut self, ctx: &Context, ratio: f64) {
        if self.pixel_ratio.as_ref().is_some_and(|known| known.ratio == ratio) {
            return;
        }
        let query = self.window.match_media(&format!("(resolution: {ratio}dppx)"));
        self.pixel_ratio = query
            .ok()
            .flatten()
            .map(|query| PixelRatio { ratio, _listener: repaint_on(&query, "change", ctx) });
    }

    /// Notifies egui once that the screen can be touched, because the first finger could not
    /// scroll otherwise.
    pub(super) fn announce_touch(&mut self, input: &mut RawInput) {
        if std::mem::take(&mut self.needs_touch_announcement) {
            input.events.push(touch::cancelled_touch_event());
        }
    }

    /// Extends egui's limits for clicks by the delay of this frame. egui measures the duration
    /// of a press, and the time to the next one, from frame to frame. If frames are slow, they
    /// begin long after their events, with varying delays, so that a double tap would become
    /// two taps. The extension holds for this frame alone, which eframe began for this press
    /// or release; the next frame has the usual limits.
    pub(super) fn compensate_click_delays(&mut self, ctx: &Context, input: &RawInput) {
        let (Some(click), Some(now_secs)) = (self.last_click_event.take(), input.time) else {
            return;
        };
        let delay_secs = (now_secs - click.at_secs).max(0.0);
        ctx.options_mut(|options| {
            let options = &mut options.input_options;
            options.max_double_click_delay += delay_secs - self.release_delay_secs;
            if click.is_release {
                options.max_click_duration += (delay_secs - self.press_delay_secs).max(0.0);
            }
        });
        if click.is_release {
            self.release_delay_secs = delay_secs;
        } else {
            self.press_delay_secs = delay_secs;
        }
    }

    /// Edges of the canvas covered by a notch or an on-screen keyboard, in points.
    pub(super) fn safe_area_insets(&self, ctx: &Context) -> SafeAreaInsets {
        let zoom = ctx.zoom_factor();
        let keyboard_px = self.keyboard_height_px().unwrap_or(0.0);
        SafeAreaInsets(MarginF32 {
            left: self.css_inset_px("--inset-left") / zoom,
            right: self.css_inset_px("--inset-right") / zoom,
            top: self.css_inset_px("--inset-top") / zoom,
            bottom: keyboard_px.max(self.css_inset_px("--inset-bottom")) / zoom,
        })
    }

    /// Height of the part of the canvas that an on-screen keyboard covers.
    fn keyboard_height_px(&self) -> Option<f32> {
        let viewport = self.window.visual_viewport()?;
        // In a magnified page, the size of the keyboard is unknown.
        if (viewport.scale() - 1.0).abs() > 0.01 {
            return None;
        }
        let canvas = self.canvas.get_bounding_client_rect();
        let covered = canvas.bottom() - (viewport.offset_top() + viewport.height());
        // Bars of the browser that appear and disappear are smaller.
        (covered > 80.0).then_some(covered as f32)
    }

    /// Value of one of the page's custom properties, which hold `env(safe-area-inset-…)`.
    /// Returns 0 if it is not set.
    fn css_inset_px(&self, name: &str) -> f32 {
        self.custom_property_px(name).unwrap_or(0.0)
    }

    fn custom_property_px(&self, name: &str) -> Option<f32> {
        let root = self.window.document()?.document_element()?;
        let style = self.window.get_computed_style(&root).ok()??;
        let value = style.get_property_value(name).ok()?;
        value.trim().strip_suffix("px")?.parse().ok()
    }

    /// Leaves the presenter mode if the reader has left full screen with the browser's own key.
    pub(super) fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        let document = self.window.document();
        let is_full_screen =
            document.is_some_and(|document| document.fullscreen_element().is_some());
        if self.was_full_screen && !is_full_screen && shell.is_presenting() {
            shell.stop_presenting(ctx);
        }
        self.was_full_screen = is_full_screen;
    }

    /// Requests the on-screen keyboard that the edited field needs, and full screen while
    /// presenting.
    pub(super) fn after_frame(&mut self, ctx: &Context, shell: &Shell) {
        // On some phones, keyboards for decimals have no minus.
        let mode = match take_typed_number(ctx) {
            Some(number) if !number.signed => "decimal",
            _ => "text",
        };
        if mode != self.input_mode
            && let Some(field) = text_agent(&self.canvas)
        {
            self.input_mode = mode;
            let _ = field.set_attribute("inputmode", mode);
            let _ = field.set_attribute("enterkeyhint", "done");
            let _ = field.set_attribute("autocomplete", "off");
        }
        let is_presenting = shell.is_presenting();
        if is_presenting != self.was_presenting {
            self.was_presenting = is_presenting;
            self.set_full_screen(is_presenting);
        }
    }

    /// Enters or leaves full screen. If the browser rejects this, the page is presented in its
    /// window.
    fn set_full_screen(&self, is_full: bool) {
        let Some(document) = self.window.document() else {
            return;
        };
        if is_full {
            if let Some(root) = document.document_element() {
                call_async_method(&root, "requestFullscreen");
            }
        } else if document.fullscreen_element().is_some() {
            document.exit_fullscreen();
        }
    }
}

/// Returns a listener that requests a frame at each of these events.
fn repaint_on(target: &EventTarget, event_name: &'static str, ctx: &Context) -> Listener {
    let ctx = ctx.clone();
    Listener::new(target, event_name, move |_| ctx.request_repaint())
}

/// Calls a method without arguments, if it exists. Ignores a rejection of its promise.
fn call_async_method(element: &Element, name: &str) {
    let promise = Reflect::get(element, &JsValue::from_str(name))
        .and_then(|method| method.dyn_into::<Function>())
        .and_then(|method| method.call0(element))
        .and_then(|result| result.dyn_into::<Promise>());
    if let Ok(promise) = promise {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(promise).await;
        });
    }
}

/// Keeps the browser from acting on the notebook's keys, and the notebook from
/// seeing the browser's.
fn share_key(canvas: &HtmlCanvasElement, event: &Event, is_mac: bool) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    let Some(target) = event.target() else {
        return;
    };
    let is_on_canvas = target == EventTarget::from(canvas.clone());
    let is_typing = text_agent(canvas).is_some_and(|field| target == field.into());
    if !is_on_canvas && !is_typing {
        return;
    }
    let Some(key) = parse_key(&event.key()) else {
        return;
    };
    let modifiers = Modifiers {
        alt: event.alt_key(),
        ctrl: event.ctrl_key(),
        shift: event.shift_key(),
        mac_cmd: is_mac && event.meta_key(),
        command: if is_mac { event.meta_key() } else { event.ctrl_key() },
    };
    match browser_key_owner(key, modifiers, is_typing, is_mac) {
        BrowserKeyOwner::Notebook => event.prevent_default(),
        BrowserKeyOwner::Browser => event.stop_immediate_propagation(),
        BrowserKeyOwner::Both => {}
    }
}

/// Stops the pointer event of a second finger, and returns true for it. egui receives second
/// fingers as touches; as a pointer, one would move whatever the first finger holds.
fn stop_second_finger(event: &Event) -> bool {
    let pointer = event.dyn_ref::<PointerEvent>();
    let is_second =
        pointer.is_some_and(|pointer| pointer.pointer_type() == "touch" && !pointer.is_primary());
    if is_second {
        event.stop_immediate_propagation();
    }
    is_second
}

/// Returns the field in which eframe receives text. eframe adds it after its canvas, and the
/// elements for screen readers wrap it in another one. Returns `None` before eframe has started.
pub(super) fn text_agent(canvas: &HtmlCanvasElement) -> Option<HtmlInputElement> {
    let sibling = canvas.next_element_sibling()?;
    let wrapped = sibling.first_element_child();
    match sibling.dyn_into::<HtmlInputElement>() {
        Ok(agent) => Some(agent),
        Err(_wrapper) => wrapped?.dyn_into().ok(),
    }
}
