/**
 * undici without its index, which loads twice as much before the first frame: mocks, caches, fetch, web sockets. What the
 * index does to what it exports is done here.
 */
import type { buildConnector } from 'undici';
import api from 'undici/lib/api/index.js';
import createConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

Object.assign(Dispatcher.prototype, api);

/** Opens a connection. */
export type Connect = ReturnType<typeof buildConnector>;

export { Agent, createConnect, type Dispatcher, EnvHttpProxyAgent, Pool };
