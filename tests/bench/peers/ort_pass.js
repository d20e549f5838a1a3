// The contender ONNX Runtime: node ort_pass.js GRAPH.onnx INPUT.safetensors THREADS KEEPS [RESULT]
// Input and output are as for bench_pass.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const ort = require(path.join(process.env.PEERS_MODULES, 'onnxruntime-node'));

function readInput(file) {
  const bytes = fs.readFileSync(file);
  const length = Number(bytes.readBigUInt64LE(0));
  const info = JSON.parse(bytes.toString('utf8', 8, 8 + length)).input;
  const begin = 8 + length + info.data_offsets[0];
  const data = bytes.buffer.slice(bytes.byteOffset + begin, bytes.byteOffset + 8 + length + info.data_offsets[1]);
  return new ort.Tensor('float32', new Float32Array(data), info.shape);
}

async function main() {
  const [graph, inputFile, threads, keeps, result] = process.argv.slice(2);
  const session = await ort.InferenceSession.create(graph, {
    intraOpNumThreads: Number(threads), interOpNumThreads: 1, executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3, // hides warnings about unused constants
  });
  const feeds = {input: readInput(inputFile)};
  // Preallocated outputs save ONNX Runtime from copying them into new ones each time.
  const made = {};
  const pass = async () => {
    for (const [name, tensor] of Object.entries(await session.run(feeds, made))) made[name] = tensor;
  };
  const first = await session.run(feeds);
  for (const name of session.outputNames)
    made[name] = new ort.Tensor('float32', new Float32Array(first[name].data), first[name].dims);
  await pass();
  if (result) {
    const parts = [made.output.data];
    if (keeps === 'weights') {
      const weights = made[`weights${session.outputNames.length - 2}`];
      parts.push(weights.data.subarray(0, weights.dims[2] * weights.dims[3]));
    }
    fs.writeFileSync(result, Buffer.concat(parts.map(p => Buffer.from(p.buffer, p.byteOffset, p.byteLength))));
  }
  for await (const line of readline.createInterface({input: process.stdin})) {
    const wall = [], cpu = [];
    for (let n = Number(line); n > 0; --n) {
      const start = process.hrtime.bigint();
      const processor = process.cpuUsage();
      await pass();
      const used = process.cpuUsage(processor);
      wall.push(Number(process.hrtime.bigint() - start) / 1e6);
      cpu.push((used.user + used.system) / 1e3);
    }
    console.log(JSON.stringify({wall, cpu}));
  }
}
main().catch(error => { console.error(String(error)); process.exit(1); });
