import type { Random } from '../server/random.ts';
import { regions, type Service } from './words.ts';

/** The context of a seeded monitor: service, environment, region. */
export interface Place {
  readonly random: Random;
  readonly service: Service;
  readonly env: string;
  /** Ids of monitors that a composite may name. */
  readonly earlier: readonly string[];
  /** Ids of objectives. */
  readonly objectives: readonly string[];
}

/** A monitor definition with its current groups. */
export interface Sketch {
  readonly name: string;
  readonly type: string;
  readonly query: string;
  readonly options?: Record<string, unknown>;
  /** Empty for a simple alert. */
  readonly groups?: readonly string[];
}

/** A few hosts with numbers in a row, as group names. */
export const hosts = (place: Place, role: string, least = 2, most = 14): string[] => {
  const begin = place.random.between(1, 20);
  return Array.from({ length: place.random.between(least, most) }, (_, at) => `host:${role}-${begin + at}`);
};
/** Some regions, as group names. */
export const inRegions = (place: Place): string[] =>
  place.random.some(regions, place.random.between(2, 5)).map((name) => `region:${name}`);
/** The scope of a metric query. */
export const here = (place: Place): string => `service:${place.service.name},env:${place.env}`;
/** The same as search terms. */
export const words = (place: Place): string => `service:${place.service.name} env:${place.env}`;
/** A random host role. */
export const roleOf = (place: Place): string => place.random.pick(['web', 'api', 'worker', 'db', 'cache']);
