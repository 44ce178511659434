/* Memory for jansson. Where an allocation fails in the middle, that library (2.14)
 * may leave a gap in what it writes, call what it reads bad JSON, or fail an
 * assertion; so it never sees one fail. */
#ifndef COMMON_JSON_MEMORY_H
#define COMMON_JSON_MEMORY_H

/* The longest JSON that this memory is for, in bytes. */
enum { JSON_LONGEST = 8192 };

/* From here on, in this thread, what jansson cannot allocate comes from a reserve
 * that is enough for JSON_LONGEST bytes. Nothing of jansson's may be alive in this
 * thread; other threads wait here until json_memory_end(). Called again, it empties
 * the reserve. */
void json_memory_start(void);

/* free() for what jansson hands over, such as the text of json_dumps. */
void json_memory_free(void *memory);

/* Leaves jansson as it was found, once nothing allocated since the start is alive. */
void json_memory_end(void);

#endif
