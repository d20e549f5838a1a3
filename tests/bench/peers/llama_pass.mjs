// Times llama.cpp, built by npm's node-llama-cpp, with two threads: the best milliseconds for one
// token after 16, and for 16 tokens at once.
//
//     node llama_pass.mjs FOLDER_OF_NODE_MODULES MODEL.gguf TURNS
import {pathToFileURL} from "node:url";

const [folder, modelPath, turns] = process.argv.slice(2);
const {getLlama, LlamaLogLevel} = await import(
    pathToFileURL(`${folder}/node_modules/node-llama-cpp/dist/index.js`).href);
const llama = await getLlama({gpu: false, build: "never", maxThreads: 2,
                              logLevel: LlamaLogLevel.error});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: 256, batchSize: 64, threads: 2});
const sequence = context.getSequence();
const ids = Array.from({length: 16}, (_, i) => i % 8);

async function timeOf(tokens) {
    const start = process.hrtime.bigint();
    await sequence.evaluateWithoutGeneratingNewTokens(tokens);
    return Number(process.hrtime.bigint() - start) / 1e6;
}

let text = Infinity, word = Infinity;
for (let turn = 0; turn < Number(turns); ++turn) {
    await sequence.clearHistory();
    text = Math.min(text, await timeOf(ids));
    word = Math.min(word, await timeOf([3]));
}
console.log(JSON.stringify({word, text}));
process.exit(0);
