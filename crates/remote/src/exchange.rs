//! The calls of the Remote Execution API that an action takes, each bounded in time, and what comes back compared with what
//! was announced.

use crate::bearer::Bearer;
use crate::blobs::{Prepared, check};
use crate::failure::{self, Failure};
use bazel_remote_apis::build::bazel::remote::execution::v2::action_cache_client::ActionCacheClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::batch_update_blobs_request::Request;
use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, BatchReadBlobsRequest, BatchUpdateBlobsRequest, Digest, ExecuteRequest, ExecuteResponse,
    FindMissingBlobsRequest, GetActionResultRequest, GetCapabilitiesRequest, digest_function,
};
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use prost::Message;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Response, Status};

const SHA256: i32 = digest_function::Value::Sha256 as i32;
/// What servers take in one message where they do not say: gRPC's own bound.
const BATCH: usize = 4 << 20;
/// What a message has beside blobs, at most.
const FRAME: usize = 64 << 10;

/// How long plumb, when it is to stop, waits for a farm to say how an action is called, and to hear that it is not wanted.
pub(crate) const GOODBYE: Duration = Duration::from_secs(1);

/// A connection, with who asks.
pub(crate) type Line = InterceptedService<Channel, Bearer>;

/// A farm's services.
pub(crate) struct Exchange {
    pub channel: Line,
    pub instance: String,
    /// How long a call may take that is to be answered at once.
    pub answer: Duration,
    /// How long an action may wait for a machine.
    pub wait: Duration,
    /// Bytes of blobs in one message.
    pub batch: usize,
}

/// The operation that a farm works on for one action.
#[derive(Default)]
pub(crate) struct Running(Mutex<Known>);

/// What is known of an operation.
#[derive(Default)]
enum Known {
    /// There is none.
    #[default]
    Nothing,
    /// It was asked for, and the farm did not say yet how it is called.
    Asked,
    /// How it is called.
    Name(String),
}

impl Running {
    fn set(&self, known: Known) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    fn note(&self, operation: &Operation) {
        self.set(if operation.done || operation.name.is_empty() {
            Known::Nothing
        } else {
            Known::Name(operation.name.clone())
        });
    }

    /// It failed: if it never had a name there is none.
    fn fail(&self) {
        if self.is_unnamed() {
            self.set(Known::Nothing);
        }
    }

    /// Was it asked for, and has no name yet?
    pub fn is_unnamed(&self) -> bool {
        matches!(*self.0.lock().unwrap_or_else(PoisonError::into_inner), Known::Asked)
    }

    /// Its name, once.
    pub fn take(&self) -> Option<String> {
        match std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            Known::Name(name) => Some(name),
            Known::Nothing | Known::Asked => None,
        }
    }
}

/// What a farm says of an action that it did.
pub(crate) enum Executed {
    /// It ended; `true` for one that an earlier one stands for.
    Ended(Box<ActionResult>, bool),
    /// It was ended after its time.
    OutOfTime,
}

impl Exchange {
    /// Bounds a call in time.
    async fn within<T>(
        &self,
        what: &str,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, Failure> {
        match timeout(self.answer, call).await {
            Ok(answer) => Ok(answer?.into_inner()),
            Err(_) => Err(Failure::Passing(format!("{what} was not answered within {:?}", self.answer))),
        }
    }

    /// Asks what the farm can do; learns how much a message may hold.
    pub async fn greet(&mut self) -> Result<(), Failure> {
        let mut client = CapabilitiesClient::new(self.channel.clone());
        let request = GetCapabilitiesRequest { instance_name: self.instance.clone() };
        let said = self.within("GetCapabilities", client.get_capabilities(request)).await?;
        let unfit = |why: &str| Err(Failure::Final(why.to_owned()));
        let Some(cache) = said.cache_capabilities else { return unfit("it stores no files") };
        if !cache.digest_functions.contains(&SHA256) {
            return unfit("it does not name files by SHA-256");
        }
        if !said.execution_capabilities.is_some_and(|execution| execution.exec_enabled) {
            return unfit("it is a cache alone, and runs nothing");
        }
        let most = usize::try_from(cache.max_batch_total_size_bytes).unwrap_or(0);
        self.batch = if most == 0 { BATCH } else { most.min(BATCH) }.saturating_sub(FRAME).max(FRAME);
        Ok(())
    }

    /// What is known of an action that was done before.
    pub async fn known(&self, action: &Prepared) -> Result<Option<ActionResult>, Failure> {
        let request = GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.digest.clone()),
            inline_output_files: action.outputs.clone(),
            digest_function: SHA256,
            ..GetActionResultRequest::default()
        };
        let mut client = ActionCacheClient::new(self.channel.clone());
        let call = async {
            match client.get_action_result(request).await {
                Ok(known) => Ok(Response::new(Some(known.into_inner()))),
                Err(status) if status.code() == Code::NotFound => Ok(Response::new(None)),
                Err(status) => Err(status),
            }
        };
        self.within("GetActionResult", call).await
    }

    /// Sends what the farm does not have of an action; the number of bytes.
    pub async fn send(&self, action: &Prepared) -> Result<u64, Failure> {
        let mut client = self.storage();
        let request = FindMissingBlobsRequest {
            instance_name: self.instance.clone(),
            blob_digests: action.blobs.values().map(|(digest, _)| digest.clone()).collect(),
            digest_function: SHA256,
        };
        let missing = self.within("FindMissingBlobs", client.find_missing_blobs(request)).await?;
        let missing = missing.missing_blob_digests;
        // Of what it was asked about alone: whoever answers decides nothing else.
        let missing: Vec<&Digest> = missing
            .iter()
            .filter_map(|digest| action.blobs.get(&digest.hash).map(|(ours, _)| ours))
            .collect();
        let mut sent = 0;
        for part in parts(&missing, self.batch) {
            let request = |digest: &&Digest| Request {
                digest: Some((*digest).clone()),
                data: action.blobs[&digest.hash].1.clone(),
                compressor: 0,
            };
            let request = BatchUpdateBlobsRequest {
                instance_name: self.instance.clone(),
                requests: part.iter().map(request).collect(),
                digest_function: SHA256,
            };
            let stored = self.within("BatchUpdateBlobs", client.batch_update_blobs(request)).await?;
            for one in stored.responses {
                if let Some((code, why)) = failure::inside(one.status) {
                    return Err(failure::of(code, format!("BatchUpdateBlobs: {why}")));
                }
            }
            sent += part.iter().map(|digest| digest.size_bytes.unsigned_abs()).sum::<u64>();
        }
        Ok(sent)
    }

    /// Has an action done and waits for its end. `fresh` for one that is to be done again.
    pub async fn execute(
        &self,
        action: &Prepared,
        fresh: bool,
        running: &Running,
    ) -> Result<Executed, Failure> {
        let request = ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: fresh,
            action_digest: Some(action.digest.clone()),
            inline_output_files: action.outputs.clone(),
            digest_function: SHA256,
            ..ExecuteRequest::default()
        };
        let mut client = ExecutionClient::new(self.channel.clone()).max_decoding_message_size(2 * BATCH);
        running.set(Known::Asked);
        let whole = async {
            let mut stream = client.execute(request).await?.into_inner();
            while let Some(operation) = stream.message().await? {
                running.note(&operation);
                if operation.done {
                    return ended(operation);
                }
            }
            Err(Failure::Passing("Execute ended without an answer".to_owned()))
        };
        let most = self.wait + action.time;
        match timeout(most, whole).await {
            Ok(ended) => ended.inspect_err(|_| running.fail()),
            Err(_) => Err(Failure::Late(format!(
                "an action was not done within {most:?}; is there a machine with the properties that it names?"
            ))),
        }
    }

    /// Tells the farm that nobody waits for an operation any more; whether it took that. One that cannot cancel says so, and works on
    /// until the action's own time is over.
    pub async fn cancel(&self, name: String) -> bool {
        let mut client = OperationsClient::new(self.channel.clone());
        let call = client.cancel_operation(CancelOperationRequest { name });
        matches!(timeout(self.answer.min(GOODBYE), call).await, Ok(Ok(_)))
    }

    /// The wanted files of a result, each compared with its digest. `None` where one is too big for a message.
    pub async fn fetch(
        &self,
        action: &Prepared,
        result: ActionResult,
    ) -> Result<Option<BTreeMap<String, Vec<u8>>>, Failure> {
        let mut files = BTreeMap::new();
        let mut absent: BTreeMap<String, (Digest, Vec<String>)> = BTreeMap::new();
        for file in result.output_files {
            if !action.outputs.contains(&file.path) {
                continue;
            }
            let Some(digest) = file.digest else {
                return Err(Failure::Final(format!("the result names no digest for `{}`", file.path)));
            };
            if !file.contents.is_empty() || digest.size_bytes == 0 {
                check(&format!("`{}`", file.path), &digest, &file.contents)?;
                files.insert(file.path, file.contents);
            } else if usize::try_from(digest.size_bytes).is_ok_and(|size| size <= self.batch) {
                absent.entry(digest.hash.clone()).or_insert((digest, Vec::new())).1.push(file.path);
            } else {
                return Ok(None);
            }
        }
        let wanted: Vec<&Digest> = absent.values().map(|(digest, _)| digest).collect();
        for part in parts(&wanted, self.batch) {
            let request = BatchReadBlobsRequest {
                instance_name: self.instance.clone(),
                digests: part.iter().map(|digest| (*digest).clone()).collect(),
                digest_function: SHA256,
                ..BatchReadBlobsRequest::default()
            };
            let mut client = self.storage();
            let read = self.within("BatchReadBlobs", client.batch_read_blobs(request)).await?;
            for one in read.responses {
                if let Some((code, why)) = failure::inside(one.status) {
                    return Err(failure::of(code, format!("BatchReadBlobs: {why}")));
                }
                let hash = one.digest.unwrap_or_default().hash;
                let Some((digest, paths)) = absent.get(&hash) else { continue };
                check("a file from its storage", digest, &one.data)?;
                files.extend(paths.iter().map(|path| (path.clone(), one.data.clone())));
            }
        }
        match absent.values().flat_map(|(_, paths)| paths).find(|path| !files.contains_key(*path)) {
            None => Ok(Some(files)),
            Some(path) => Err(Failure::Missing(format!("BatchReadBlobs did not bring `{path}`"))),
        }
    }

    fn storage(&self) -> ContentAddressableStorageClient<Line> {
        ContentAddressableStorageClient::new(self.channel.clone()).max_decoding_message_size(2 * BATCH)
    }
}

/// What an operation that is done says.
fn ended(operation: Operation) -> Result<Executed, Failure> {
    let response = match operation.result {
        Some(operation::Result::Response(any)) => ExecuteResponse::decode(any.value.as_slice())
            .map_err(|error| Failure::Final(format!("Execute: not an answer: {error}")))?,
        Some(operation::Result::Error(status)) => {
            let (code, why) = failure::inside(Some(status)).unwrap_or((Code::Unknown, String::new()));
            return Err(failure::of(code, format!("Execute: {why}")));
        }
        None => return Err(Failure::Final("Execute is done, and brought nothing".to_owned())),
    };
    match failure::inside(response.status) {
        Some((Code::DeadlineExceeded, _)) => return Ok(Executed::OutOfTime),
        Some((code, why)) => return Err(failure::of(code, format!("Execute: {why}"))),
        None => {}
    }
    match response.result {
        Some(result) => Ok(Executed::Ended(Box::new(result), response.cached_result)),
        None => Err(Failure::Final("Execute is done, and brought no result".to_owned())),
    }
}

/// Digests in parts that fit a message each; one that fits none is a part of its own.
fn parts<'d>(digests: &[&'d Digest], batch: usize) -> Vec<Vec<&'d Digest>> {
    let mut parts: Vec<Vec<&Digest>> = Vec::new();
    let mut room = 0;
    for digest in digests {
        // What a message says of a blob beside its bytes.
        let size = usize::try_from(digest.size_bytes).unwrap_or(usize::MAX).saturating_add(100);
        match parts.last_mut().filter(|_| size <= room) {
            Some(part) => part.push(digest),
            None => {
                parts.push(vec![digest]);
                room = batch;
            }
        }
        room = room.saturating_sub(size);
    }
    parts
}
