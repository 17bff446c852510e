//! Makes the stubs of the protocol; needs no protoc.

use std::error::Error;

const PROTO: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PROTO}");
    let files = protox::compile(["schmier/v1/referee_service.proto"], [PROTO])?;
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds(files)?;
    Ok(())
}
