//! A farm of one machine on loopback, for tests: storage, cache and execution of the Remote Execution API, with faults that
//! can be switched on. It runs actions in temporary directories, checks what it is sent, and knows nothing of plumb.

#![allow(dead_code, reason = "each test uses a part")]

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::{longrunning as lro, protobuf, rpc};
use prost::Message;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::process::Command;
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;
use tokio_stream::Stream;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Identity, Server as Transport, ServerTlsConfig};
use tonic::{Code, Request, Response, Status};

/// What a farm does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// It answers this to every call after the first.
    Refuses(Code),
    /// It takes actions and never says what became of them.
    NeverEnds,
    /// The same, and it cannot cancel them.
    KeepsOn,
    /// It runs actions for as long as they like.
    Patient,
    /// It takes calls and never answers.
    Silent,
    /// What it stores comes back changed.
    Corrupts,
    /// Every other action's end is told with this status.
    EveryOther(Code),
    /// It says that every action ran out of time.
    OutOfTime,
    /// It forgets what it stores before each action, the first time.
    Forgets,
    /// It sends messages that are none.
    Garbage,
    /// It keeps results, and loses their files.
    LosesFiles,
}

#[derive(Default)]
struct Kept {
    blobs: HashMap<String, Vec<u8>>,
    results: HashMap<String, api::ActionResult>,
    forgotten: HashMap<String, ()>,
    properties: Vec<String>,
    /// What ends an operation that is not done, by name.
    running: HashMap<String, AbortHandle>,
}

struct State {
    kept: Mutex<Kept>,
    fault: Mutex<Fault>,
    executed: AtomicU64,
    calls: AtomicU32,
    operations: AtomicU64,
    cancelled: AtomicU64,
    executes: bool,
    sha256: bool,
    /// What calls must be authorised with.
    token: Mutex<Option<String>>,
}

/// A running farm; it ends when dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
    runtime: Option<Runtime>,
}

impl Server {
    /// A farm that works.
    pub fn start() -> Server {
        Server::with(None, "127.0.0.1:0", true, true)
    }

    /// One that has a certificate (both as PEM).
    pub fn secure(certificate: &str, key: &str) -> Server {
        Server::with(Some(Identity::from_pem(certificate, key)), "127.0.0.1:0", true, true)
    }

    /// One that stores and executes nothing, or names files otherwise.
    pub fn unfit(executes: bool, sha256: bool) -> Server {
        Server::with(None, "127.0.0.1:0", executes, sha256)
    }

    /// One at an address that was another's.
    pub fn at(address: SocketAddr) -> Server {
        Server::with(None, &address.to_string(), true, true)
    }

    fn with(identity: Option<Identity>, address: &str, executes: bool, sha256: bool) -> Server {
        let state = Arc::new(State {
            kept: Mutex::default(),
            fault: Mutex::new(Fault::None),
            executed: AtomicU64::new(0),
            calls: AtomicU32::new(0),
            operations: AtomicU64::new(0),
            cancelled: AtomicU64::new(0),
            executes,
            sha256,
            token: Mutex::default(),
        });
        let runtime = Runtime::new().expect("threads");
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).expect("a free port");
        let address = listener.local_addr().expect("bound");
        let farm = Farm(Arc::clone(&state));
        let mut transport = Transport::builder();
        if let Some(identity) = identity {
            transport =
                transport.tls_config(ServerTlsConfig::new().identity(identity)).expect("a certificate");
        }
        let storage =
            api::content_addressable_storage_server::ContentAddressableStorageServer::new(farm.clone());
        let guarding = Arc::clone(&state);
        let guard = move |request: Request<()>| {
            let said = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
            match &*guarding.token.lock().expect("whole") {
                Some(token) if said != Some(token) => Err(Status::unauthenticated("who are you?")),
                Some(_) | None => Ok(request),
            }
        };
        let capabilities = api::capabilities_server::CapabilitiesServer::new(farm.clone());
        let cache = api::action_cache_server::ActionCacheServer::new(farm.clone());
        let router = transport
            .add_service(InterceptedService::new(capabilities, guard.clone()))
            .add_service(InterceptedService::new(storage.max_decoding_message_size(8 << 20), guard.clone()))
            .add_service(InterceptedService::new(cache, guard.clone()))
            .add_service(InterceptedService::new(
                lro::operations_server::OperationsServer::new(farm.clone()),
                guard.clone(),
            ))
            .add_service(InterceptedService::new(api::execution_server::ExecutionServer::new(farm), guard));
        runtime.spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
        Server { address, state, runtime: Some(runtime) }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The same, as plumb takes it.
    pub fn url(&self) -> String {
        format!("grpc://{}", self.address)
    }

    /// Switches a fault on, or off.
    pub fn fault(&self, fault: Fault) {
        *self.state.fault.lock().expect("whole") = fault;
    }

    /// Has every call be authorised with this from now on.
    pub fn guard(&self, token: &str) {
        *self.state.token.lock().expect("whole") = Some(token.to_owned());
    }

    /// How many actions it has executed.
    pub fn executed(&self) -> u64 {
        self.state.executed.load(Ordering::SeqCst)
    }

    /// How many operations it was told to end before they were done.
    pub fn cancelled(&self) -> u64 {
        self.state.cancelled.load(Ordering::SeqCst)
    }

    /// How many operations are not done.
    pub fn running(&self) -> usize {
        self.state.kept().running.len()
    }

    /// The values of all properties that actions had.
    pub fn properties(&self) -> Vec<String> {
        self.state.kept().properties.clone()
    }

    /// Loses all files, but not what it says of them.
    pub fn forget_files(&self) {
        self.state.kept().blobs.clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn digest(bytes: &[u8]) -> api::Digest {
    let hash = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    api::Digest { hash, size_bytes: bytes.len() as i64 }
}

impl State {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("whole")
    }

    fn fault(&self) -> Fault {
        *self.fault.lock().expect("whole")
    }

    async fn begin(&self) -> Result<Fault, Status> {
        match self.fault() {
            Fault::Refuses(code) => Err(Status::new(code, "not today")),
            Fault::Silent => std::future::pending().await,
            fault => Ok(fault),
        }
    }

    fn blob(&self, digest: &api::Digest) -> Result<Vec<u8>, Status> {
        let missing = || Status::failed_precondition(format!("missing blob {}", digest.hash));
        self.kept().blobs.get(&digest.hash).cloned().ok_or_else(missing)
    }

    fn message<M: Message + Default>(&self, digest: Option<&api::Digest>) -> Result<M, Status> {
        let bytes = self.blob(digest.ok_or_else(|| Status::invalid_argument("no digest"))?)?;
        M::decode(bytes.as_slice()).map_err(|error| Status::invalid_argument(error.to_string()))
    }

    /// Runs an action as the API says, or tells by a status why not.
    async fn run(&self, name: &api::Digest) -> Result<api::ActionResult, Status> {
        let action: api::Action = self.message(Some(name))?;
        let command: api::Command = self.message(action.command_digest.as_ref())?;
        let root: api::Directory = self.message(action.input_root_digest.as_ref())?;
        assert!(root.files.is_sorted_by(|a, b| a.name < b.name), "files are to be in order");
        assert!(command.output_paths.is_sorted(), "paths are to be in order");
        let properties = action.platform.iter().flat_map(|platform| &platform.properties);
        let properties: Vec<String> = properties.map(|p| format!("{}={}", p.name, p.value)).collect();
        self.kept().properties.extend(properties);
        let dir = tempfile::tempdir().expect("a directory");
        for file in &root.files {
            let bytes = self.blob(file.digest.as_ref().expect("a digest"))?;
            std::fs::write(dir.path().join(&file.name), bytes).expect("writable");
        }
        for output in &command.output_paths {
            let path = dir.path().join(output);
            std::fs::create_dir_all(path.parent().expect("beneath")).expect("writable");
        }
        let mut process = Command::new(&command.arguments[0]);
        process.args(&command.arguments[1..]).current_dir(dir.path()).env_clear().kill_on_drop(true);
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        process.envs(command.environment_variables.iter().map(|one| (&one.name, &one.value)));
        let time = action.timeout.as_ref().map_or(60, |time| time.seconds.unsigned_abs());
        let time = if self.fault() == Fault::Patient { 60 } else { time };
        self.executed.fetch_add(1, Ordering::SeqCst);
        let ended = tokio::time::timeout(Duration::from_secs(time), process.status()).await;
        let Ok(status) = ended else { return Err(Status::deadline_exceeded("out of time")) };
        let mut result = api::ActionResult {
            exit_code: status.expect("it starts").code().unwrap_or(255),
            ..api::ActionResult::default()
        };
        for (number, path) in command.output_paths.iter().enumerate() {
            let Ok(bytes) = std::fs::read(dir.path().join(path)) else { continue };
            let digest = digest(&bytes);
            self.kept().blobs.insert(digest.hash.clone(), bytes.clone());
            // Some in the answer, some to be asked for.
            let contents = if number % 2 == 0 { bytes } else { Vec::new() };
            let path = path.clone();
            let digest = Some(digest);
            result.output_files.push(api::OutputFile { path, digest, contents, ..Default::default() });
        }
        Ok(result)
    }

    async fn execute(
        &self,
        request: &api::ExecuteRequest,
        operation: &str,
    ) -> Result<lro::Operation, Status> {
        let name = request.action_digest.clone().ok_or_else(|| Status::invalid_argument("no digest"))?;
        let fault = self.begin().await?;
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if fault == Fault::Forgets && self.kept().forgotten.insert(name.hash.clone(), ()).is_none() {
            self.kept().blobs.clear();
        }
        let known = self.kept().results.get(&name.hash).cloned().filter(|_| !request.skip_cache_lookup);
        let cached_result = known.is_some();
        let ran = match (fault, known) {
            (Fault::NeverEnds | Fault::KeepsOn, _) => std::future::pending().await,
            (Fault::OutOfTime, _) => Err(Status::deadline_exceeded("out of time")),
            (Fault::EveryOther(code), _) if number.is_multiple_of(2) => {
                Err(Status::new(code, "now and then"))
            }
            (_, Some(known)) => Ok(known),
            (_, None) => self.run(&name).await,
        };
        let mut response = api::ExecuteResponse { cached_result, ..Default::default() };
        match ran {
            Ok(mut result) => {
                if fault == Fault::Corrupts {
                    for file in &mut result.output_files {
                        file.contents.iter_mut().for_each(|byte| *byte ^= 1);
                    }
                } else if result.exit_code == 0 {
                    self.kept().results.insert(name.hash, result.clone());
                }
                response.result = Some(result);
            }
            Err(status) => {
                let code = status.code() as i32;
                response.status =
                    Some(rpc::Status { code, message: status.message().to_owned(), details: Vec::new() });
            }
        }
        let value = if fault == Fault::Garbage { vec![0xff; 9] } else { response.encode_to_vec() };
        let type_url = "type.googleapis.com/build.bazel.remote.execution.v2.ExecuteResponse".to_owned();
        let any = protobuf::Any { type_url, value };
        let result = Some(lro::operation::Result::Response(any));
        Ok(lro::Operation { name: operation.to_owned(), done: true, result, ..Default::default() })
    }
}

#[derive(Clone)]
struct Farm(Arc<State>);

type Streamed<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

fn unused<T>() -> Result<T, Status> {
    Err(Status::unimplemented("not for these tests"))
}

#[tonic::async_trait]
impl api::capabilities_server::Capabilities for Farm {
    async fn get_capabilities(
        &self,
        _: Request<api::GetCapabilitiesRequest>,
    ) -> Result<Response<api::ServerCapabilities>, Status> {
        self.0.begin().await?;
        let function = if self.0.sha256 {
            api::digest_function::Value::Sha256
        } else {
            api::digest_function::Value::Md5
        };
        Ok(Response::new(api::ServerCapabilities {
            cache_capabilities: Some(api::CacheCapabilities {
                digest_functions: vec![function as i32],
                max_batch_total_size_bytes: 1 << 20,
                ..Default::default()
            }),
            execution_capabilities: Some(api::ExecutionCapabilities {
                digest_function: function as i32,
                exec_enabled: self.0.executes,
                ..Default::default()
            }),
            ..Default::default()
        }))
    }
}

#[tonic::async_trait]
impl api::content_addressable_storage_server::ContentAddressableStorage for Farm {
    async fn find_missing_blobs(
        &self,
        request: Request<api::FindMissingBlobsRequest>,
    ) -> Result<Response<api::FindMissingBlobsResponse>, Status> {
        self.0.begin().await?;
        let mut missing = request.into_inner().blob_digests;
        missing.retain(|digest| !self.0.kept().blobs.contains_key(&digest.hash));
        Ok(Response::new(api::FindMissingBlobsResponse { missing_blob_digests: missing }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<api::BatchUpdateBlobsRequest>,
    ) -> Result<Response<api::BatchUpdateBlobsResponse>, Status> {
        self.0.begin().await?;
        let mut responses = Vec::new();
        for one in request.into_inner().requests {
            assert_eq!(one.digest.as_ref(), Some(&digest(&one.data)), "what is sent is what it says");
            self.0.kept().blobs.insert(digest(&one.data).hash, one.data);
            let status = Some(rpc::Status::default());
            responses.push(api::batch_update_blobs_response::Response { digest: one.digest, status });
        }
        Ok(Response::new(api::BatchUpdateBlobsResponse { responses }))
    }

    async fn batch_read_blobs(
        &self,
        request: Request<api::BatchReadBlobsRequest>,
    ) -> Result<Response<api::BatchReadBlobsResponse>, Status> {
        self.0.begin().await?;
        let mut responses = Vec::new();
        for digest in request.into_inner().digests {
            let found = self.0.kept().blobs.get(&digest.hash).cloned();
            let code = if found.is_some() { Code::Ok } else { Code::NotFound };
            let status =
                Some(rpc::Status { code: code as i32, message: "read".to_owned(), details: Vec::new() });
            let (digest, data) = (Some(digest), found.unwrap_or_default());
            responses.push(api::batch_read_blobs_response::Response {
                digest,
                data,
                status,
                ..Default::default()
            });
        }
        Ok(Response::new(api::BatchReadBlobsResponse { responses }))
    }

    type GetTreeStream = Streamed<api::GetTreeResponse>;

    async fn get_tree(
        &self,
        _: Request<api::GetTreeRequest>,
    ) -> Result<Response<Self::GetTreeStream>, Status> {
        unused()
    }

    async fn split_blob(
        &self,
        _: Request<api::SplitBlobRequest>,
    ) -> Result<Response<api::SplitBlobResponse>, Status> {
        unused()
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<tonic::Streaming<api::RegisterChunkMappingRequest>>,
    ) -> Result<Response<api::RegisterChunkMappingResponse>, Status> {
        unused()
    }

    type GetChunkMappingStream = Streamed<api::GetChunkMappingResponse>;

    async fn get_chunk_mapping(
        &self,
        _: Request<api::GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        unused()
    }

    async fn splice_blob(
        &self,
        _: Request<api::SpliceBlobRequest>,
    ) -> Result<Response<api::SpliceBlobResponse>, Status> {
        unused()
    }
}

#[tonic::async_trait]
impl api::action_cache_server::ActionCache for Farm {
    async fn get_action_result(
        &self,
        request: Request<api::GetActionResultRequest>,
    ) -> Result<Response<api::ActionResult>, Status> {
        let fault = self.0.begin().await?;
        let name = request.into_inner().action_digest.unwrap_or_default();
        let known = self.0.kept().results.get(&name.hash).cloned();
        let mut known = known.ok_or_else(|| Status::not_found("never done"))?;
        if fault == Fault::LosesFiles {
            known.output_files.iter_mut().for_each(|file| file.contents.clear());
        }
        Ok(Response::new(known))
    }

    async fn update_action_result(
        &self,
        _: Request<api::UpdateActionResultRequest>,
    ) -> Result<Response<api::ActionResult>, Status> {
        unused()
    }
}

#[tonic::async_trait]
impl api::execution_server::Execution for Farm {
    type ExecuteStream = Streamed<lro::Operation>;

    async fn execute(
        &self,
        request: Request<api::ExecuteRequest>,
    ) -> Result<Response<Self::ExecuteStream>, Status> {
        let (state, request) = (Arc::clone(&self.0), request.into_inner());
        let name = format!("operation-{}", state.operations.fetch_add(1, Ordering::SeqCst));
        let queued = Ok(lro::Operation { name: name.clone(), ..Default::default() });
        let (sender, receiver) = tokio::sync::mpsc::channel(2);
        let keeper = Arc::clone(&self.0);
        let operation = name.clone();
        // Held until the task is known by its name, so that it does not end before.
        let mut kept = keeper.kept();
        let task = tokio::spawn(async move {
            if sender.send(queued).await.is_ok() {
                let ended = state.execute(&request, &operation).await;
                let _ = sender.send(ended).await;
            }
            state.kept().running.remove(&operation);
        });
        kept.running.insert(name, task.abort_handle());
        drop(kept);
        Ok(Response::new(Box::pin(tokio_stream::wrappers::ReceiverStream::new(receiver))))
    }

    type WaitExecutionStream = Streamed<lro::Operation>;

    async fn wait_execution(
        &self,
        _: Request<api::WaitExecutionRequest>,
    ) -> Result<Response<Self::WaitExecutionStream>, Status> {
        unused()
    }
}

#[tonic::async_trait]
impl lro::operations_server::Operations for Farm {
    async fn list_operations(
        &self,
        _: Request<lro::ListOperationsRequest>,
    ) -> Result<Response<lro::ListOperationsResponse>, Status> {
        unused()
    }

    async fn get_operation(
        &self,
        _: Request<lro::GetOperationRequest>,
    ) -> Result<Response<lro::Operation>, Status> {
        unused()
    }

    async fn delete_operation(
        &self,
        _: Request<lro::DeleteOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        unused()
    }

    async fn cancel_operation(
        &self,
        request: Request<lro::CancelOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        if self.0.fault() == Fault::KeepsOn {
            return unused();
        }
        let name = request.into_inner().name;
        let Some(task) = self.0.kept().running.remove(&name) else {
            return Err(Status::not_found("no such operation"));
        };
        task.abort();
        self.0.cancelled.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(protobuf::Empty {}))
    }

    async fn wait_operation(
        &self,
        _: Request<lro::WaitOperationRequest>,
    ) -> Result<Response<lro::Operation>, Status> {
        unused()
    }
}
