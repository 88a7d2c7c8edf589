//! `bindpose serve` serves the notebook as a web site. `bindpose class` does so for a class that
//! works together. Both print their addresses and, for other devices, a QR code.

use std::fmt::Write as _;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use bindpose_class_protocol::{InvitedAddress, RoomCode};
use bindpose_class_server::{
    ServedFolder, ServedRoom, ServerOptions, SharedRoom, WebServer, network_addresses, squares,
    usual_folder,
};
use bindpose_diagnostic::Diagnostic;
#[cfg(feature = "relay")]
use bindpose_relay::{RelayError, RelayFront};

use super::CommandFailure;
use super::output::{self, OutputForm};
use crate::app::KeptClass;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The folder of pages that `cargo xtask web` writes; else the one that came with
    /// the program, or `target/web`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The port to listen on; 0: any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Also for other computers and phones in this network
    #[arg(long)]
    lan: bool,
}

/// Serves until the program is terminated.
pub(super) fn run(args: &ServeArgs) -> Result<(), CommandFailure> {
    let server = start_server(args, None, &[])?;
    print_text(&format_site_urls(server.port(), args.lan))?;
    server.wait();
    Ok(())
}

#[derive(Debug, clap::Args)]
pub(super) struct ClassArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// Go on with the class of today that broke off, with its code and address
    #[arg(long, conflicts_with = "relay")]
    again: bool,
    /// Keep the class on this NATS server, so that several computers can serve it
    #[arg(long, value_name = "nats://HOST")]
    relay: Option<String>,
    /// A proxy before this server: the addresses of its clients, as X-Forwarded-For has
    /// them, are limited like those of others; several times: of all these
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
}

/// Serves a class, which its teacher leads from a browser, until the program is terminated.
pub(super) fn run_class(args: &ClassArgs) -> Result<(), CommandFailure> {
    match &args.relay {
        Some(relay) => run_relayed_class(args, relay),
        None => run_local_class(args),
    }
}

/// Serves a class whose records are kept by this process.
fn run_local_class(args: &ClassArgs) -> Result<(), CommandFailure> {
    let mut serve_args = args.serve.clone();
    let room = if args.again {
        let last_class = KeptClass::read_last().ok_or_else(no_class_failure)?;
        serve_args.port = last_class.port;
        last_class.room()
    } else {
        SharedRoom::with_new_code().map_err(|error| no_code_failure(&error))?
    };
    let room_to_serve = Some(room.clone().into());
    let server = start_server(&serve_args, room_to_serve, &args.trusted_proxy)?;
    KeptClass::write(&room, server.port());
    let code = room.code();
    let secret = room.secret();
    let mut text = format!(
        "You lead the class at  http://localhost:{}/?class={code}&lead={}\n\
         That address is yours alone: whoever has it is the teacher.\n\n",
        server.port(),
        secret.as_str(),
    );
    text += &format_invitation(&room.invitation().addresses, &code);
    text += "\nCtrl+C ends it.\n";
    print_text(&text)?;
    server.wait();
    Ok(())
}

/// Serves a class whose records are kept on a NATS server, which other processes may serve too.
#[cfg(feature = "relay")]
fn run_relayed_class(args: &ClassArgs, relay: &str) -> Result<(), CommandFailure> {
    let front = RelayFront::open(relay).map_err(|error| relay_failure(&error))?;
    let code = front.code().clone();
    let secret = front.secret().clone();
    let room_to_serve = Some(front.into_served_room());
    let server = start_server(&args.serve, room_to_serve, &args.trusted_proxy)?;
    let address = format!("localhost:{}", server.port());
    print_text(&format!(
        "You lead the class at  http://{address}/?class={code}&lead={}\n\
         or at the same behind your balancer\u{2019}s address. It is yours alone: whoever has it \
         is the teacher.\n\n\
         Students come to your balancer\u{2019}s address with the code  {code}\n\n\
         Ctrl+C ends it here; the class goes on where others serve it.\n",
        secret.as_str(),
    ))?;
    server.wait();
    Ok(())
}

#[cfg(not(feature = "relay"))]
fn run_relayed_class(_: &ClassArgs, _: &str) -> Result<(), CommandFailure> {
    let title = "this program was built without what keeps classes on a NATS server";
    let help = "build it with `cargo build --release --features relay`, or take a package";
    Err(CommandFailure::argument("--relay", Diagnostic::said("NO_RELAY", title).help(help)))
}

fn start_server(
    args: &ServeArgs,
    room: Option<ServedRoom>,
    trusted_proxies: &[IpAddr],
) -> Result<WebServer, CommandFailure> {
    let folder = args.folder.clone().or_else(usual_folder).ok_or_else(no_pages_failure)?;
    let site = ServedFolder::open(&folder).map_err(|error| site_failure(&folder, &error))?;
    let options = ServerOptions {
        site,
        port: args.port,
        lan: args.lan,
        room,
        trusted_proxies: trusted_proxies.to_vec(),
    };
    WebServer::start(options).map_err(|error| port_failure(args.port, &error))
}

// ----------------------------------------------------------------------------
// Failures.

fn no_class_failure() -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "NO_CLASS",
        "no class of today broke off here; `bindpose class` without --again begins one",
    ))
}

fn no_code_failure(error: &io::Error) -> CommandFailure {
    let title = format!("the system gives no random numbers for a code ({error})");
    CommandFailure::cannot(Diagnostic::said("NO_CODE", title))
}

fn no_pages_failure() -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        "there are no pages to hand out, neither in `web` beside the program nor in \
         `../share/bindpose/web` or `../Resources/web` from there, nor in `target/web`; \
         `cargo xtask web` makes them",
    ))
}

fn site_failure(folder: &Path, error: &io::Error) -> CommandFailure {
    let folder = folder.display();
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        format!("{folder} cannot be handed out ({error}); `cargo xtask web` makes such a folder"),
    ))
}

fn port_failure(port: u16, error: &io::Error) -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "PORT_TAKEN",
        format!(
            "port {port} cannot be listened on ({error}); name another by --port, or 0 for any"
        ),
    ))
}

#[cfg(feature = "relay")]
fn relay_failure(error: &RelayError) -> CommandFailure {
    let help = match error {
        RelayError::Address { .. } => "write nats://HOST, or nats://USER:PASSWORD@HOST:PORT",
        RelayError::Unreachable { .. } => "start nats-server -js there, and let this computer in",
        RelayError::NotLetIn { .. } => "write --relay nats://USER:PASSWORD@HOST",
        RelayError::NoStore { .. } => "start it as nats-server -js, with a folder by -sd",
        RelayError::System { .. } => "end other programs, and try again",
    };
    let wrong = Diagnostic::said("NO_RELAY", error.to_string()).help(help);
    CommandFailure::argument("--relay", wrong)
}

// ----------------------------------------------------------------------------
// Addresses.

/// Printed in place of addresses for other devices.
const NO_NETWORK: &str = "Phones and other computers can’t reach this computer: it has no IPv4 \
    address in any network. Join the network of the room, or open a hotspot, and start this again.\n";

fn print_text(text: &str) -> Result<(), CommandFailure> {
    output::write_to_stdout(OutputForm::Text, |out| out.write_all(text.as_bytes()))
}

/// Formats the URLs of the site: the local one and, if `lan` is set, those for other devices.
fn format_site_urls(port: u16, lan: bool) -> String {
    let mut text = format!("The notebook is at  http://localhost:{port}/\n");
    if lan {
        let urls: Vec<String> =
            network_addresses().into_iter().map(|ip| format!("http://{ip}:{port}/")).collect();
        text += &format_network_urls(&urls);
    }
    text += "Ctrl+C ends it.\n";
    text
}

/// Formats URLs for other devices, and the first one as a QR code.
fn format_network_urls(urls: &[String]) -> String {
    let [first, others @ ..] = urls else { return NO_NETWORK.to_owned() };
    let mut text = format!("for this network at  {first}\n");
    for other in others {
        let _ = writeln!(text, "or, if it does not open there, at  {other}");
    }
    let _ = writeln!(text, "\n{}", draw_qr_code(&squares(first)));
    text
}

/// Formats the addresses by which students join a class, and the first one as a QR code.
fn format_invitation(addresses: &[InvitedAddress], code: &RoomCode) -> String {
    let [first, others @ ..] = addresses else { return NO_NETWORK.to_owned() };
    let mut text = format!("Students come to  {}  with the code  {code}\n", first.host);
    for other in others {
        let _ = writeln!(text, "or, if it does not open there, to  {}", other.host);
    }
    let _ = write!(text, "\n{}", draw_qr_code(&first.squares));
    text
}

/// Width of the quiet zone around a QR code in modules, as ISO/IEC 18004 requires.
const QUIET_ZONE_MODULES: usize = 4;

/// Draws a QR code with block characters, two modules above each other per character.
///
/// `rows` has a character per module, `0` for light. Returns an empty string if there are none.
fn draw_qr_code(rows: &[String]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let side = rows.len() + 2 * QUIET_ZONE_MODULES;
    let mut text = String::new();
    for y in (0..side).step_by(2) {
        for x in 0..side {
            text.push(match (is_light(rows, x, y), is_light(rows, x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        text.push('\n');
    }
    text
}

/// Returns whether a module is light, in coordinates that include the quiet zone. Everything
/// outside of the code is light.
fn is_light(rows: &[String], x: usize, y: usize) -> bool {
    let code = QUIET_ZONE_MODULES..QUIET_ZONE_MODULES + rows.len();
    if !code.contains(&x) || !code.contains(&y) {
        return true;
    }
    let row = rows[y - QUIET_ZONE_MODULES].as_bytes();
    row.get(x - QUIET_ZONE_MODULES) == Some(&b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_addresses_are_printed_and_the_first_is_the_qr_code() {
        let code = RoomCode::from_random(1);
        let addresses = ["192.168.1.20:8080", "10.8.0.2:8080"].map(|host| InvitedAddress {
            host: host.to_owned(),
            squares: squares(&format!("http://{host}/{code}")),
        });
        let text = format_invitation(&addresses, &code);
        let first = format!("Students come to  192.168.1.20:8080  with the code  {code}\n");
        assert!(text.starts_with(&first), "{text}");
        assert!(text.contains("to  10.8.0.2:8080\n"), "{text}");
        assert!(text.ends_with(&draw_qr_code(&addresses[0].squares)), "{text}");

        let urls = addresses.map(|address| format!("http://{}/", address.host));
        let text = format_network_urls(&urls);
        assert!(urls.iter().all(|url| text.contains(&format!("at  {url}\n"))), "{text}");
        assert!(text.contains(&draw_qr_code(&squares(&urls[0]))), "{text}");
    }

    #[test]
    fn without_a_network_no_address_is_printed() {
        assert_eq!(format_network_urls(&[]), NO_NETWORK);
        assert_eq!(format_invitation(&[], &RoomCode::from_random(1)), NO_NETWORK);
    }

    #[test]
    fn qr_codes_are_square_with_a_quiet_zone_and_finder_patterns() {
        let code = draw_qr_code(&squares("http://192.168.1.20:8080/"));
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // Two lines are the quiet zone of four modules. Then comes the dark edge of the finder
        // pattern, seven modules wide.
        assert!(lines[..2].iter().flatten().all(|&half| half == '█'));
        let finder: String = lines[2][4..11].iter().collect();
        assert_eq!(finder, " ▄▄▄▄▄ ");
    }
}
